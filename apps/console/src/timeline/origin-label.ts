/** What started a run, as the console names it. */
const LABELS: Readonly<Record<string, string>> = {
  chat: "Chat API",
  a2a: "A2A",
  v1: "OpenAI API",
  subagent: "Subagent",
  background: "Background job",
  schedule: "Schedule",
  watch: "Watch",
  inbox: "Inbox",
  goal: "Goal",
  auxiliary: "Chat title",
  embed: "Embedded",
  board: "Board",
};

/** What checks a goal: a model, or something else. */
const CHECKS: readonly (string | null)[] = ["judge", "verify"];

/** What started a run, with the role of the model that it asked, where it has one. */
export function fromLabel({
  origin,
  class: of,
  role,
}: {
  readonly origin: string;
  readonly class: string;
  readonly role: string | null;
}): string {
  if (origin === "auxiliary" && CHECKS.includes(role)) return "Goal check";
  return [originLabel(origin, of), role].filter(Boolean).join(" ");
}

/** The label of an origin; an unknown one is shown as it is. The console's own chats come over A2A. */
export function originLabel(origin: string, callerClass = "operator"): string {
  if (origin === "a2a" && callerClass === "operator") return "Chat";
  return Object.hasOwn(LABELS, origin) ? (LABELS[origin] ?? origin) : origin;
}

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

/** The label of an origin; an unknown one is shown as it is. The console's own chats come over A2A. */
export function originLabel(origin: string, callerClass = "operator"): string {
  if (origin === "a2a" && callerClass === "operator") return "Chat";
  return Object.hasOwn(LABELS, origin) ? (LABELS[origin] ?? origin) : origin;
}

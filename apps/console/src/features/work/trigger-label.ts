const ORIGINS: Readonly<Record<string, string>> = {
  scheduler: "A schedule",
  watch: "A watch",
  inbox: "The inbox",
  webhook: "A webhook",
  a2a: "Another agent",
  operator: "You",
  background: "A background job's report",
  goal: "A goal",
};

/** The label of what started a turn: `The inbox, item 12`. */
export function triggerLabel({
  origin,
  trigger,
}: {
  readonly origin: string;
  readonly trigger: string | null;
}): string {
  const who = ORIGINS[origin] ?? origin;
  if (trigger === null || trigger === "" || trigger === origin) return who;
  const [kind, ...rest] = trigger.split(":");
  return kind === "inbox" && rest.length > 0 ? `${who}, item ${rest.join(":")}` : `${who}, ${trigger}`;
}

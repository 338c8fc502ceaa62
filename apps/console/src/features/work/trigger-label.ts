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

/** The label of what started a turn: `The inbox, item 12`, `A schedule, morning`. */
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
  if (rest.length === 0 || kind !== origin) return `${who}, ${trigger}`;
  // A goal's id says nothing to people; its message names it.
  if (kind === "goal") return who;
  return kind === "inbox" ? `${who}, item ${rest.join(":")}` : `${who}, ${rest.join(":")}`;
}

/** The states tasks are told by (A5), in the order people ask for them. */
export const STATES = ["working", "input-required", "completed", "failed", "canceled"] as const;

/** What a task can come from, with the console's words for it. */
export const ORIGINS = {
  chat: "Chat",
  a2a: "A2A",
  v1: "OpenAI API",
  subagent: "Subagent",
  background: "Background job",
  schedule: "Schedule",
  watch: "Watch",
  inbox: "Inbox",
  goal: "Goal",
  embed: "Embedded",
} as const;

/** Which tasks are shown: part of the screen's address. */
export interface TaskFilter {
  readonly state?: (typeof STATES)[number];
  readonly origin?: keyof typeof ORIGINS;
}

/** Reads a filter from an address. What it does not know counts as not said. */
export function readFilter({ state, origin }: { readonly [name: string]: unknown }): TaskFilter {
  const known = STATES.find((one) => one === state);
  const from =
    typeof origin === "string" && Object.hasOwn(ORIGINS, origin) ? (origin as TaskFilter["origin"]) : undefined;
  return { ...(known && { state: known }), ...(from && { origin: from }) };
}

/** The word for an origin; one that this console does not know is told as it is. */
export function originWord(origin: string): string {
  return Object.hasOwn(ORIGINS, origin) ? ORIGINS[origin as keyof typeof ORIGINS] : origin;
}

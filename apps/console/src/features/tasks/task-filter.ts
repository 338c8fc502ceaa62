/** The states of tasks (A5), in the order of the filter. */
export const STATES = ["working", "input-required", "completed", "failed", "canceled"] as const;

/** The origins of tasks, with the console's labels. */
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

/** The filter of the list: part of the screen's address. */
export interface TaskFilter {
  readonly state?: (typeof STATES)[number];
  readonly origin?: keyof typeof ORIGINS;
}

/** Reads a filter from an address. Unknown values are ignored. */
export function readFilter({ state, origin }: { readonly [name: string]: unknown }): TaskFilter {
  const known = STATES.find((one) => one === state);
  const from =
    typeof origin === "string" && Object.hasOwn(ORIGINS, origin) ? (origin as TaskFilter["origin"]) : undefined;
  return { ...(known && { state: known }), ...(from && { origin: from }) };
}

/** The label of an origin; an unknown one is shown as it is. */
export function originLabel(origin: string): string {
  return Object.hasOwn(ORIGINS, origin) ? ORIGINS[origin as keyof typeof ORIGINS] : origin;
}

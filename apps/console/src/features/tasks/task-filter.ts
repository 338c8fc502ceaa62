/** The states of tasks (A5), in the order of the filter. */
export const STATES = ["working", "input-required", "completed", "failed", "canceled"] as const;

/** What can be chosen to see runs of, with the API's filter for it. The console's own chats come over A2A. */
export const ORIGINS = {
  chat: { label: "Chat", query: { origin: "a2a", class: "operator" } },
  a2a: { label: "Other agents", query: { origin: "a2a", class: "federation" } },
  api: { label: "Chat API", query: { origin: "chat" } },
  v1: { label: "OpenAI API", query: { origin: "v1" } },
  subagent: { label: "Subagent", query: { origin: "subagent" } },
  background: { label: "Background job", query: { origin: "background" } },
  schedule: { label: "Schedule", query: { origin: "schedule" } },
  watch: { label: "Watch", query: { origin: "watch" } },
  inbox: { label: "Inbox", query: { origin: "inbox" } },
  goal: { label: "Goal", query: { origin: "goal" } },
  auxiliary: { label: "Chat titles", query: { origin: "auxiliary" } },
  embed: { label: "Embedded", query: { origin: "embed" } },
  board: { label: "Board", query: { origin: "board" } },
} as const;

/** The filter of the list: part of the screen's address. */
export interface TaskFilter {
  readonly state?: (typeof STATES)[number];
  readonly origin?: keyof typeof ORIGINS;
  /** Words of what was asked or answered. */
  readonly search?: string;
  /** Answered by this model, and with calls of this tool, by their names in telemetry. */
  readonly model?: string;
  readonly tool?: string;
  /** Whose state changed at this time or later, and before the other; ISO-8601. */
  readonly from?: string;
  readonly to?: string;
}

/** Reads a filter from an address. Unknown values are ignored. */
export function readFilter(address: { readonly [name: string]: unknown }): TaskFilter {
  const { state, origin, from, to } = address;
  const known = STATES.find((one) => one === state);
  const source =
    typeof origin === "string" && Object.hasOwn(ORIGINS, origin) ? (origin as TaskFilter["origin"]) : undefined;
  const [search, model, tool] = [textOf(address.search), textOf(address.model), textOf(address.tool)];
  return {
    ...(known && { state: known }),
    ...(source && { origin: source }),
    ...(search !== "" && { search }),
    ...(model !== "" && { model }),
    ...(tool !== "" && { tool }),
    ...(isTime(from) && { from }),
    ...(isTime(to) && { to }),
  };
}

/** An address with a number as its value is read as a number. */
function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

/** The filter as the API takes it. */
export function queryOf({ state, origin, search, model, tool, from, to }: TaskFilter) {
  return {
    ...(state && { state }),
    ...(origin && ORIGINS[origin].query),
    ...(search !== undefined && { search }),
    ...(model !== undefined && { model }),
    ...(tool !== undefined && { tool }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}

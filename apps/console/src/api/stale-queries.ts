import type { QueryClient } from "@tanstack/react-query";
import type { ServiceEvent } from "./event-stream.ts";

/**
 * Further queries that a topic makes stale, by its first segment. A query whose key starts with that segment or its plural
 * needs no entry: `["inbox", …]` is read again at `inbox.*`, `["sessions", …]` at `session.*`.
 */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  approval: ["tasks", "sessions", "runtime", "background"],
  turn: [
    "tasks",
    "sessions",
    "approvals",
    "telemetry",
    "prompts",
    "delegations",
    "lanes",
    "board",
    "goal",
    "injections",
  ],
  config: ["runtime", "settings", "providers", "secrets", "tools", "subagents", "mcp"],
  mcp: ["runtime", "tools"],
  memory: ["knowledge"],
  model: ["runtime", "settings", "providers", "lanes"],
  delegation: ["subagents", "tasks"],
  steer: ["steering"],
  webhook: ["runtime"],
};

function isRefusedKey(client: QueryClient): boolean {
  return (client.getQueryData<{ graph_auth_error: string | null }>(["runtime"])?.graph_auth_error ?? null) !== null;
}

/** Arrive many times a turn and change no list. */
const PROGRESS: readonly string[] = ["turn.progress", "command.output"];

/** Events within these milliseconds are handled together: the end of a turn publishes several, and each would cancel the reads of the one before. */
const GATHER_MS = 50;

/** Marks queries as stale that events changed, once for all events that arrive together. */
export class StaleQueries {
  readonly #client: QueryClient;
  readonly #later: (run: () => void, ms: number) => () => void;
  readonly #keys = new Set<string>();
  #everything = false;
  #cancel: (() => void) | undefined;

  /** `later` runs a function after milliseconds and returns a function that cancels it. */
  constructor(client: QueryClient, later: (run: () => void, ms: number) => () => void) {
    this.#client = client;
    this.#later = later;
  }

  receive({ topic, data }: ServiceEvent): void {
    if (PROGRESS.includes(topic)) return;
    if (topic === "stream.gap") this.#everything = true;
    // A failed turn may report a refused key, and the next successful one that it is accepted again.
    if (topic === "turn.finished" && (data.ok !== true || isRefusedKey(this.#client))) this.#keys.add("runtime");
    const [subject = ""] = topic.split(".", 1);
    for (const key of [subject, `${subject}s`, ...(ALSO[subject] ?? [])]) this.#keys.add(key);
    this.#cancel ??= this.#later(() => this.#flush(), GATHER_MS);
  }

  /** Discards the events received so far. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#keys.clear();
    this.#everything = false;
  }

  #flush(): void {
    const keys = [...this.#keys];
    const everything = this.#everything;
    this.stop();
    if (everything) void this.#refresh({});
    else for (const key of keys) void this.#refresh({ queryKey: [key] });
  }

  async #refresh(which: { readonly queryKey?: readonly [string] }): Promise<void> {
    // A query that is read for the first time is not begun anew: its answer may be from before the event.
    const first = this.#client
      .getQueryCache()
      .findAll({ ...which, fetchStatus: "fetching" })
      .filter(({ state }) => state.data === undefined);
    await this.#client.invalidateQueries(which);
    for (const { queryKey } of first) void this.#client.invalidateQueries({ queryKey, exact: true });
  }
}

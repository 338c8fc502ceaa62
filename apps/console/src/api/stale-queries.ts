import type { QueryClient } from "@tanstack/react-query";
import type { ServiceEvent } from "./event-stream.ts";

/**
 * Which queries a topic makes stale, by its first word. A query whose key begins with that word, or with its plural, is
 * read again without being named here: `["inbox", …]` at `inbox.*`, `["sessions", …]` at `session.*`.
 */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  approval: ["tasks", "sessions", "runtime"],
  turn: ["tasks", "sessions", "approvals", "telemetry", "prompts", "delegations", "lanes"],
  config: ["runtime", "settings", "providers", "secrets", "tools", "subagents"],
  model: ["runtime", "settings", "providers", "lanes"],
  delegation: ["subagents", "tasks"],
  steer: ["steering"],
  webhook: ["runtime"],
};

function isRefusedKey(client: QueryClient): boolean {
  return (client.getQueryData<{ graph_auth_error: string | null }>(["runtime"])?.graph_auth_error ?? null) !== null;
}

/** Comes many times a turn and changes no list. */
const PROGRESS = "turn.progress";

/** Milliseconds in which events are gathered: the end of a turn tells several, and each would have stopped the read of the one before. */
const GATHER_MS = 50;

/** Marks as stale what events say has changed, once for those that come together. */
export class StaleQueries {
  readonly #client: QueryClient;
  readonly #later: (run: () => void, ms: number) => () => void;
  readonly #keys = new Set<string>();
  #everything = false;
  #cancel: (() => void) | undefined;

  /** `later` runs something after milliseconds; the function it returns takes that back. */
  constructor(client: QueryClient, later: (run: () => void, ms: number) => () => void) {
    this.#client = client;
    this.#later = later;
  }

  hear({ topic, data }: ServiceEvent): void {
    if (topic === PROGRESS) return;
    if (topic === "stream.gap") this.#everything = true;
    // A failed turn may say that a key is refused, and the next good one that it is not.
    if (topic === "turn.finished" && (data.ok !== true || isRefusedKey(this.#client))) this.#keys.add("runtime");
    const [subject = ""] = topic.split(".", 1);
    for (const key of [subject, `${subject}s`, ...(ALSO[subject] ?? [])]) this.#keys.add(key);
    this.#cancel ??= this.#later(() => this.#flush(), GATHER_MS);
  }

  /** Forgets what it has gathered. */
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
    if (everything) void this.#client.invalidateQueries();
    else for (const key of keys) void this.#client.invalidateQueries({ queryKey: [key] });
  }
}

import type { EventBus } from "../bus/index.ts";
import { canonicalJson } from "../json/index.ts";
import type { McpServerView } from "./mcp-server-view.ts";

/** Tells what has become of servers, each state once. */
export class PublishedStates {
  readonly #bus: EventBus;
  readonly #last = new Map<string, string>();

  constructor(bus: EventBus) {
    this.#bus = bus;
  }

  /** False: it was published before. */
  publish(name: string, { state, detail }: Pick<McpServerView, "state" | "detail">): boolean {
    const now = canonicalJson({ state, detail: detail ?? null });
    if (this.#last.get(name) === now) return false;
    this.#last.set(name, now);
    this.#bus.publish("mcp.server_changed", { name, state });
    return true;
  }
}

import type { McpCallRow } from "../mcp-server-view.ts";

/** Calls that are kept of a server. */
const MAX_ROWS = 200;

/** The last calls of one server, since the service started. */
export class CallRecords {
  #rows: readonly McpCallRow[] = [];

  add(row: McpCallRow): void {
    this.#rows = [row, ...this.#rows.slice(0, MAX_ROWS - 1)];
  }

  /** The newest first. `before`: older than the call of this id; nothing where that one is not kept any more. */
  page({ limit, before }: { readonly limit: number; readonly before?: string }): readonly McpCallRow[] {
    if (before === undefined) return this.#rows.slice(0, limit);
    const at = this.#rows.findIndex(({ callId }) => callId === before);
    return at === -1 ? [] : this.#rows.slice(at + 1, at + 1 + limit);
  }
}

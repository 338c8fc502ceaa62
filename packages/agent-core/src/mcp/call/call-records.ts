import type { McpCallRow } from "../mcp-server-view.ts";

/** Calls that are kept of a server. */
const MAX_ROWS = 200;

/** The last calls of one server, since the service started. */
export class CallRecords {
  #rows: readonly McpCallRow[] = [];

  add(row: McpCallRow): void {
    this.#rows = [row, ...this.#rows.slice(0, MAX_ROWS - 1)];
  }

  /** The newest first. `before`: older than the call of this id. */
  page({ limit, before }: { readonly limit: number; readonly before?: string }): readonly McpCallRow[] {
    const from = before === undefined ? 0 : this.#rows.findIndex(({ callId }) => callId === before) + 1;
    return this.#rows.slice(from, from + limit);
  }
}

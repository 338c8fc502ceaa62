/** MCP servers as operators see them: what is saved, and what the engine knows of them. */
import { type McpOperations, readMcpServer, type ServerTarget } from "@agent-service/agent-core/host";
import { type McpServerPage, type McpServerRow, type McpService, Problem } from "@agent-service/operator-api";
import type { AuditNotes } from "./audit-notes.ts";
import type { RawServer } from "./declared-server.ts";
import type { Exposed } from "./exposed-report.ts";
import type { ReplayParts } from "./replayed-calls.ts";
import type { SavedServers } from "./saved-servers.ts";
import { pageOf, rowOf, type ValueSource } from "./server-views.ts";

/** What operators' routes are made of. */
export interface McpServiceParts {
  readonly operations: McpOperations;
  readonly saved: SavedServers;
  /** What `/mcp` offers. */
  readonly exposed: () => Exposed;
  /** By which calls are made once more. */
  readonly replays: Omit<ReplayParts, "operations">;
  /** Where placeholders of servers are read from beside the overlay. */
  readonly environment: Pick<ValueSource, "environment" | "isForbidden">;
  /** Where people open this service; undefined: on its own machine. */
  readonly publicUrl: () => string | undefined;
  readonly audit: Pick<AuditNotes, "signIn">;
}

export interface ServerReader extends Pick<McpService, "list" | "read"> {
  /** @throws Problem 404 */
  pageOfServer(name: string): McpServerPage;
  /** @throws Problem 404 */
  rowOfServer(name: string): McpServerRow;
  /** As it is saved. @throws Problem 404 */
  entryOf(name: string): RawServer;
}

export function unknownServer(): Problem {
  return new Problem(404, "There is no such server; GET /api/mcp/servers lists them.");
}

export function serverReader({ operations, saved, environment }: McpServiceParts): ServerReader {
  const source = (name: string): ValueSource => ({ ...environment, secrets: saved.secrets(name) });
  const targetOf = (name: string): ServerTarget | undefined => {
    const read = readMcpServer(saved.entry(name), saved.section);
    return read.kind === "server" ? read.settings.target : undefined;
  };
  const read = (name: string): McpServerPage | undefined => {
    const detail = operations.get(name);
    return detail && pageOf(detail, saved.entry(name), saved.section, source(name));
  };
  return {
    list: () => ({
      enabled: operations.enabled,
      servers: operations.list().map((view) => rowOf(view, targetOf(view.name))),
    }),
    read,
    pageOfServer(name) {
      const page = read(name);
      if (page === undefined) throw unknownServer();
      return page;
    },
    rowOfServer(name) {
      const view = operations.get(name);
      if (view === undefined) throw unknownServer();
      return rowOf(view, targetOf(name));
    },
    entryOf(name) {
      const entry = saved.entry(name);
      if (entry === undefined) throw unknownServer();
      return entry;
    },
  };
}

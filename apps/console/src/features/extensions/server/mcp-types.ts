import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

type Answer<TName extends OperatorDefinition["name"]> = AnswerOf<Extract<OperatorDefinition, { readonly name: TName }>>;

/** A server as the API lists it. */
export type McpServer = Answer<"mcp.servers">["servers"][number];
/** A server with its tools, its log and its settings. */
export type McpServerDetail = Answer<"mcp.server">;
/** A tool of a server. */
export type McpTool = McpServerDetail["tools"][number];
/** What a server that was tried answered. */
export type McpTrial = Answer<"mcp.test">;
/** What an import brought. */
export type McpImport = Answer<"mcp.import">;
/** A server of the catalogue. */
export type CatalogServer = Answer<"mcp.catalog">["servers"][number];
/** A call of a server's tool, as its list has it. */
export type RecordedCall = Answer<"mcp.calls">["calls"][number];
/** A call that was made once more, with both results. */
export type McpReplay = Answer<"mcp.replay">;

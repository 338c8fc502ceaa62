import { CodedError } from "../error/index.ts";

/**
 * - `mcp.unknown_server`: no server of this name is configured.
 * - `mcp.misconfigured`: the server's entry cannot be used; the message says what to change.
 * - `mcp.unknown_definition`: the server never showed a tool or prompt of this name.
 * - `mcp.digest_changed`: the definition is not the one that was decided about; look at it again.
 * - `mcp.contradiction`: one definition is to be approved and rejected at once.
 * - `mcp.held`: the tool's definition changed and waits for the operator.
 * - `mcp.unavailable`: the server cannot be reached now, or needs a sign-in.
 * - `mcp.tool_error`: the server answered that the call failed; the message is its text.
 */
export type McpErrorCode =
  | "mcp.unknown_server"
  | "mcp.misconfigured"
  | "mcp.unknown_definition"
  | "mcp.digest_changed"
  | "mcp.contradiction"
  | "mcp.held"
  | "mcp.unavailable"
  | "mcp.tool_error";

/** Something about a server that could not be done; one sentence that says what to change. */
export class McpError extends CodedError<McpErrorCode> {
  override readonly name = "McpError";
}

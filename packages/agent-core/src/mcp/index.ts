export type { StdioTransport, TransportEvents, TransportSource } from "./connection/index.ts";
export * from "./definition/index.ts";
export { type McpFeatureOptions, mcpServers } from "./feature.ts";
export { McpError, type McpErrorCode } from "./mcp-error.ts";
export { type McpSectionValue, mcpSection } from "./mcp-section.ts";
export type {
  McpCallOutcome,
  McpCallPage,
  McpCallRow,
  McpCalls,
  McpDecision,
  McpEra,
  McpOperations,
  McpRecordedCall,
  McpServerDetail,
  McpServerState,
  McpServerView,
  McpSignIn,
  McpTestResult,
  McpToolView,
  SignInAnswer,
} from "./mcp-server-view.ts";
export { McpServers } from "./mcp-servers.ts";
export type { McpServersOptions } from "./mcp-servers-options.ts";
export * from "./names/index.ts";
export * from "./placeholder/index.ts";
export * from "./result/index.ts";
export type { HttpTarget, McpTransport, ServerTarget, StdioTarget } from "./server-target.ts";
export * from "./settings/index.ts";
export * from "./sign-in/index.ts";
export * from "./stdio/index.ts";
export * from "./tool/index.ts";

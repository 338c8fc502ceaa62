export { MAX_SERVERS, type McpServerList, readMcpServer, readMcpServers, type ServerDefaults } from "./read-servers.ts";
export { isServerName, toServerName } from "./server-name.ts";
export type { ServerDeclaration } from "./server-schema.ts";
export type {
  ApproveMode,
  McpServerEntry,
  McpServerSettings,
  OauthSettings,
  Pinning,
} from "./server-settings.ts";
export { urlProblem } from "./url-problem.ts";

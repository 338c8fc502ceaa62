export { ConnectionError, type ConnectionErrorCode } from "./connection-error.ts";
export type { RequestAuthorization } from "./egress-fetch.ts";
export { loadSdk } from "./load-sdk.ts";
export { ManagedServer } from "./managed-server.ts";
export type { ManagedServerOptions, ShownLists } from "./managed-server-options.ts";
export type { Elicitation, ToolRequest } from "./server-connection.ts";
export { openConnection, type ServerConnection } from "./server-connection.ts";
export { STARTS_AT_ONCE, StartPlaces } from "./start-places.ts";
export type { StdioTransport, TransportEvents, TransportSource } from "./transport.ts";

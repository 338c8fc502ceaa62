export { ConnectionError, type ConnectionErrorCode } from "./connection-error.ts";
export { ManagedServer, type ManagedServerOptions, type ShownLists } from "./managed-server.ts";
export type { Elicitation, ToolRequest } from "./server-connection.ts";
export { openConnection, type ServerConnection } from "./server-connection.ts";
export { STARTS_AT_ONCE, StartPlaces } from "./start-places.ts";
export type { StdioTransport, TransportEvents, TransportSource } from "./transport.ts";

export { clientDocumentAt, clientDocumentRoute } from "./client-document.ts";
export { mcpRoute } from "./mcp-route.ts";

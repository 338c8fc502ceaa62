import { defineResource, emptyList, refused } from "../resource/index.ts";

/** Not built: its routes answer as O4 requires. */
export const mcp = defineResource({
  name: "mcp",
  feature: "mcp",
  unbuilt: {
    tag: "MCP",
    routes: [
      ["POST", "/api/mcp/servers", refused],
      ["POST", "/api/mcp/servers/import", refused],
      ["DELETE", "/api/mcp/servers/{name}", refused],
      ["GET", "/api/mcp/catalog", emptyList({ servers: [] })],
      ["GET", "/api/mcp/exposed", emptyList({ tools: [], count: 0 })],
    ],
  },
});

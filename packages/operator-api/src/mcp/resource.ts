import { defineResource, refused } from "../resource/index.ts";
import {
  addServer,
  decideDefinitions,
  editServer,
  importServers,
  listCalls,
  listServers,
  mcpRoutes,
  readCatalog,
  readExposed,
  readServer,
  removeServer,
  restartServer,
  testServer,
} from "./routes.ts";

/** MCP servers. */
export const mcp = defineResource({
  name: "mcp",
  feature: "mcp",
  definitions: [
    listServers,
    addServer,
    importServers,
    testServer,
    readServer,
    editServer,
    removeServer,
    restartServer,
    decideDefinitions,
    listCalls,
    readCatalog,
    readExposed,
  ],
  topics: [
    { topic: "mcp.server_changed", when: "A server's state or settings changed", data: "`name`, `state`" },
    { topic: "mcp.definitions_held", when: "Definitions of a server wait for the operator", data: "`server`, `names`" },
    { topic: "mcp.tools_changed", when: "The tools that turns have of MCP servers changed", data: "`count`" },
  ],
  routes: mcpRoutes,
});

/** Signing in to MCP servers: specified and not built. */
export const mcpSignIn = defineResource({
  name: "mcpSignIn",
  feature: "mcp_sign_in",
  unbuilt: {
    tag: "Signing in to MCP servers",
    routes: [
      ["POST", "/api/mcp/servers/{name}/auth", refused],
      ["POST", "/api/mcp/servers/{name}/auth/finish", refused],
      ["DELETE", "/api/mcp/servers/{name}/auth", refused],
    ],
  },
});

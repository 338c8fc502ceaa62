import { defineResource } from "../resource/index.ts";
import { listCalls, readCall, replayCall } from "./call-routes.ts";
import {
  addServer,
  decideDefinitions,
  editServer,
  importServers,
  listServers,
  mcpRoutes,
  readCatalog,
  readExposed,
  readServer,
  removeServer,
  restartServer,
  testServer,
} from "./routes.ts";
import { beginSignIn, finishSignIn, signOut } from "./sign-in-routes.ts";

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
    beginSignIn,
    finishSignIn,
    signOut,
    listCalls,
    readCall,
    replayCall,
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

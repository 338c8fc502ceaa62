/**
 * `pnpm --filter mcp-server start [--http] [--port 7880] [--descriptions <file>] [--letters <file>]`: an MCP server over its
 * standard streams, or over HTTP.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serve } from "@hono/node-server";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { readDescriptions, watchDescriptions } from "./descriptions.ts";
import { type Connection, connect, type World } from "./tools.ts";

const { values } = parseArgs({
  options: {
    http: { type: "boolean", default: false },
    port: { type: "string", default: "7880" },
    descriptions: { type: "string", default: fileURLToPath(new URL("descriptions.json", import.meta.url)) },
    letters: { type: "string", default: join(tmpdir(), "mcp-server-letters") },
  },
});

const world: World = {
  ...{
    descriptions: readDescriptions(values.descriptions),
    notes: new Map(),
    prints: new Map(),
    letters: values.letters,
  },
};

if (values.http) {
  // Every request has a server of its own, which reads the descriptions of that moment.
  const handler = createMcpHandler(() => connect(world).server);
  watchDescriptions(values.descriptions, (descriptions) => {
    world.descriptions = descriptions;
    handler.notify.toolsChanged();
  });
  const hostname = "127.0.0.1";
  const fetch = (request: Request): Response | Promise<Response> => {
    if (new URL(request.url).pathname !== "/mcp") return new Response("not found", { status: 404 });
    // A page in a browser reaches this port under a name of its own.
    return hostHeaderValidationResponse(request, localhostAllowedHostnames()) ?? handler.fetch(request);
  };
  serve({ fetch, port: Number(values.port), hostname }, ({ port }) => {
    console.log(`MCP server at http://${hostname}:${port}/mcp`);
  });
} else {
  let connection: Connection | undefined;
  serveStdio(() => {
    connection = connect(world);
    return connection.server;
  });
  watchDescriptions(values.descriptions, (descriptions) => {
    world.descriptions = descriptions;
    connection?.describe(descriptions);
  });
}

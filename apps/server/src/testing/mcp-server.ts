/** An MCP server of 2025 over HTTP, with as little as a client needs; what it offers and answers is the test's. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface McpTestTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
  readonly annotations?: object;
}

export interface McpTestServer extends AsyncDisposable {
  readonly url: string;
  /** Arguments of the calls so far. */
  readonly calls: unknown[];
  /** As it is asked next. */
  tools: readonly McpTestTool[];
  /** As they are asked next; none: it has no such list. */
  prompts: readonly object[];
  resources: readonly object[];
  /** What came along with calls, `_meta`. */
  readonly metas: unknown[];
  /** Its list of tools is answered behind this. */
  beforeList?: (() => Promise<unknown>) | undefined;
  /** What a call answers. */
  answer: (args: unknown, name: string) => string | Promise<string>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: unknown; readonly _meta?: unknown };
}

export async function startMcpServer(tools: readonly McpTestTool[]): Promise<McpTestServer> {
  const calls: unknown[] = [];
  const http = createServer((request, response) => {
    void (async () => {
      const message = await read(request);
      const result = await resultOf(message);
      const { id } = message;
      if (request.method !== "POST") response.writeHead(405).end();
      else if (id === undefined) response.writeHead(202).end();
      else
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, ...result }));
    })();
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const server: McpTestServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    ...{ calls, tools, metas: [], prompts: [], resources: [], answer: () => "done" },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
    },
  };
  const resultOf = async ({ method, params = {} }: Message): Promise<object> => {
    if (method === "initialize")
      return {
        result: {
          protocolVersion: "2025-11-25",
          capabilities: {
            tools: {},
            ...(server.prompts.length > 0 && { prompts: {} }),
            ...(server.resources.length > 0 && { resources: {} }),
          },
          serverInfo: { name: "s", version: "1" },
        },
      };
    if (method === "tools/list") await server.beforeList?.();
    if (method === "tools/list")
      return { result: { tools: server.tools.map((tool) => ({ inputSchema: { type: "object" }, ...tool })) } };
    if (method === "prompts/list") return { result: { prompts: server.prompts } };
    if (method === "resources/list") return { result: { resources: server.resources } };
    if (method !== "tools/call") return { error: { code: -32_601, message: "no such method" } };
    calls.push(params.arguments);
    server.metas.push(params._meta);
    const answered = await server.answer(params.arguments, params.name ?? "");
    return { result: { content: [{ type: "text", text: answered }] } };
  };
  return server;
}

async function read(request: IncomingMessage): Promise<Message> {
  return JSON.parse((await text(request)) || "{}") as Message;
}

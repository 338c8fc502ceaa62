/** A server of 2026 for tests, which makes a task of every call. */
import type { ServerResponse } from "node:http";
import { SECRET, type serversBench } from "./mcp-servers-bench.ts";

type Bench = ReturnType<typeof serversBench>;

interface Request {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly taskId?: string; readonly inputResponses?: object; readonly _meta?: object };
}

export const WORKING = { status: "working", ttlMs: null, pollIntervalMs: 2_000, createdAt: "", lastUpdatedAt: "" };
const text = (said: string) => ({ content: [{ type: "text", text: said }] });
export const completed = (said: string) => ({ ...WORKING, status: "completed", result: text(said) });
export const asking = (...keys: string[]) => ({
  ...{ ...WORKING, status: "input_required" },
  inputRequests: Object.fromEntries(
    keys.map((key) => [
      key,
      { method: "elicitation/create", params: { message: `${key}?`, requestedSchema: { type: "object" } } },
    ]),
  ),
});

/** A server that makes a task of every call; what it says of one is the test's. */
export class TaskServer {
  url = "";
  created: object = { ...WORKING, taskId: "task-a" };
  readonly requests: Request[] = [];
  readonly headers: unknown[] = [];
  /** The next state, and from then on. */
  states: (object | "error" | "unknown" | "gone")[] = [];
  /** It refuses answers. */
  refuses = false;
  /** It answers nothing. */
  isAway = false;

  async start(bench: Bench): Promise<this> {
    this.url = await bench.serve((request, response, body) => {
      if (this.isAway) return response.destroy();
      if (request.method !== "POST") return response.writeHead(405).end();
      const message = JSON.parse(body) as Request;
      if (message.method?.startsWith("tasks/") || message.method === "tools/call") {
        this.requests.push(message);
        this.headers.push(request.headers["mcp-name"]);
      }
      return this.#answer(message, response);
    });
    return this;
  }

  methods(): readonly (string | undefined)[] {
    return this.requests.map(({ method }) => method);
  }

  #answer({ id, method }: Request, response: ServerResponse): unknown {
    const send = (answer: object) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    const result = (fields: object) => send({ result: { resultType: "complete", ...fields } });
    const listed = { ttlMs: 0, cacheScope: "private" };
    switch (method) {
      case "server/discover":
        return result({
          ...{ ...listed, supportedVersions: ["2026-07-28"] },
          capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
        });
      case "tools/list":
        return result({
          ...listed,
          tools: [
            { name: "print", description: "Prints.", inputSchema: { type: "object" } },
            { name: "count", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
          ],
        });
      case "tools/call":
        return send({ result: { resultType: "task", ...this.created } });
      case "tasks/get": {
        const state = this.states.length > 1 ? this.states.shift() : this.states[0];
        if (state === "gone") return response.destroy();
        if (state === "error") return send({ error: { code: -32_603, message: `no luck with ${SECRET}` } });
        if (state === "unknown") return send({ error: { code: -32_602, message: "no such task" } });
        return result(state as object);
      }
      case "tasks/update":
        return this.refuses ? send({ error: { code: -32_602, message: "not like that" } }) : result({});
      case "tasks/cancel":
        return result({});
      default:
        return response.writeHead(202).end();
    }
  }
}

/** Settings with such a server, which is connected. */
export async function beginTaskServer(
  bench: Bench,
  pins: Parameters<Bench["open"]>[1],
  ...states: TaskServer["states"]
) {
  const server = await new TaskServer().start(bench);
  server.states = states;
  const settings = { servers: [{ name: "s", url: server.url }] };
  const opened = await bench.open(settings, pins);
  await opened.ready("s");
  return { server, settings, pins, ...opened };
}

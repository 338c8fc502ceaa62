/** An MCP server of 2025 over HTTP: it asks in the stream that answers a call, and goes on once the answer is posted. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Effect } from "./effects.ts";

const inputSchema = { type: "object", properties: { token: { type: "string" }, ms: { type: "number" } } };
const requestedSchema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
const TOOLS = [{ name: "sign", description: "Asks while the call waits, then posts.", inputSchema }];

/** What is sent to it: a request, or an answer to one of its own. */
export interface OlderMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly arguments?: { readonly token?: string; readonly ms?: number } };
  readonly result?: { readonly action?: string; readonly content?: { readonly word?: unknown } };
}

/** What it does, and where it says so. */
export interface OlderWorld {
  count(effect: Effect): Promise<void>;
  /** A form was answered. */
  answered(): void;
}

export class OlderServer {
  readonly #world: OlderWorld;
  readonly #asked = new Map<string, (result: OlderMessage["result"]) => void>();
  #questions = 0;

  constructor(world: OlderWorld) {
    this.#world = world;
  }

  async serve({ id, method, params, result }: OlderMessage, response: ServerResponse): Promise<unknown> {
    if (id === undefined) return response.writeHead(202).end();
    if (method === undefined) {
      response.writeHead(202).end();
      return this.#asked.get(String(id))?.(result);
    }
    if (method === "tools/call") return this.#call(id, params?.arguments, response);
    const answer = resultOf(method);
    const body = answer === undefined ? { error: { code: -32_601, message: "unknown method" } } : { result: answer };
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
  }

  async #call(
    id: number | string,
    { token = "", ms = 0 }: { readonly token?: string; readonly ms?: number } = {},
    response: ServerResponse,
  ): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = (message: object): unknown =>
      response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
    await sleep(ms);
    const question = `ask-${this.#questions++}`;
    const answer = new Promise<OlderMessage["result"]>((resolve) => {
      this.#asked.set(question, resolve);
      // The service was killed, or does not want it any more.
      response.on("close", () => resolve(undefined));
    });
    write({ id: question, method: "elicitation/create", params: { message: `Word of ${token}?`, requestedSchema } });
    const { action, content } = (await answer) ?? {};
    this.#asked.delete(question);
    const isSigned = action === "accept" && typeof content?.word === "string";
    if (isSigned) {
      this.#world.answered();
      await this.#world.count({ tool: "older__sign", token });
      await sleep(ms);
    }
    write({ id, result: { content: [{ type: "text", text: `${isSigned ? "did" : "left"} ${token}` }] } });
    response.end();
  }
}

function resultOf(method: string): object | undefined {
  if (method === "tools/list") return { tools: TOOLS };
  if (method !== "initialize") return undefined;
  const serverInfo = { name: "older", version: "1.0.0" };
  return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
}

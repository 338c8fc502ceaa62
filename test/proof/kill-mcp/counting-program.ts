/**
 * `node counting-program.ts <address>`: an MCP server of 2025 over its standard streams. Every effect is counted at the address
 * before it is answered. It ends neither with its input nor when it is asked to: what ends it is its group's end.
 */
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request as send } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Effect } from "./effects.ts";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly token?: string; readonly ms?: number } };
  readonly result?: { readonly action?: string; readonly content?: { readonly word?: unknown } };
}

type Result = NonNullable<Message["result"]>;

const [address = ""] = process.argv.slice(2);
const inputSchema = { type: "object", properties: { token: { type: "string" }, ms: { type: "number" } } };
const requestedSchema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
const TOOLS = [
  { name: "post", description: "Posts.", inputSchema },
  { name: "put", description: "Puts.", inputSchema, annotations: { idempotentHint: true } },
  { name: "sign", description: "Asks while the call waits, then posts.", inputSchema },
];
/** Questions that wait for the client, by the id of their request. */
const asked = new Map<string, (result: Result) => void>();

function write(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** Reports to the proof, which may kill the service before it answers. */
async function report(path: "/effect" | "/answered", body: Effect): Promise<void> {
  const sending: ClientRequest = send(`${address}${path}`, { method: "POST" });
  sending.end(JSON.stringify(body));
  const [response] = (await once(sending, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
}

function ask(token: string): Promise<Result> {
  const id = `ask-${asked.size}`;
  write({ id, method: "elicitation/create", params: { message: `Word of ${token}?`, requestedSchema } });
  return new Promise((resolve) => asked.set(id, resolve));
}

async function call(name: string, token: string, ms: number): Promise<string> {
  const effect = { tool: `counted__${name}`, token };
  await sleep(ms);
  if (name === "sign") {
    const { action, content } = await ask(token);
    if (action !== "accept" || typeof content?.word !== "string") return `left ${token}`;
    await report("/answered", effect);
  }
  await report("/effect", effect);
  await sleep(ms);
  return `did ${token}`;
}

async function resultOf({ method, params }: Message): Promise<object | undefined> {
  if (method === "initialize")
    return {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "counting", version: "1.0.0" },
    };
  if (method === "tools/list") return { tools: TOOLS };
  if (method !== "tools/call") return undefined;
  const { token = "", ms = 0 } = params?.arguments ?? {};
  return { content: [{ type: "text", text: await call(params?.name ?? "", token, ms) }] };
}

async function receive(message: Message): Promise<void> {
  const { id, method, result } = message;
  if (id === undefined) return;
  if (method === undefined) return asked.get(String(id))?.(result ?? {});
  const answer = await resultOf(message);
  write({
    id,
    ...(answer === undefined ? { error: { code: -32_601, message: "unknown method" } } : { result: answer }),
  });
}

process.on("SIGTERM", () => {}).on("SIGHUP", () => {});
process.stdout.on("error", () => {});
setInterval(() => {}, 60_000);
createInterface({ input: process.stdin }).on("line", (line) => void receive(JSON.parse(line) as Message));

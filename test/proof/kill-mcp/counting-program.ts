/**
 * `node counting-program.ts <file>`: an MCP server of 2025 over its standard streams. Every effect is a line of the file. It
 * ends neither with its input nor when it is asked to: what ends it is its group's end.
 */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Effect } from "./effects.ts";

interface Request {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly token?: string; readonly ms?: number } };
}

const [file = ""] = process.argv.slice(2);
const inputSchema = { type: "object", properties: { token: { type: "string" }, ms: { type: "number" } } };
const TOOLS = [
  { name: "post", description: "Posts.", inputSchema },
  { name: "put", description: "Puts.", inputSchema, annotations: { idempotentHint: true } },
];

async function resultOf({ method, params }: Request): Promise<object | undefined> {
  if (method === "initialize")
    return {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "counting", version: "1.0.0" },
    };
  if (method === "tools/list") return { tools: TOOLS };
  if (method !== "tools/call") return undefined;
  const { token = "", ms = 0 } = params?.arguments ?? {};
  await sleep(ms);
  appendFileSync(file, `${JSON.stringify({ tool: `counted__${params?.name}`, token } satisfies Effect)}\n`);
  await sleep(ms);
  return { content: [{ type: "text", text: `did ${token}` }] };
}

async function answer(request: Request): Promise<void> {
  if (request.id === undefined) return;
  const result = await resultOf(request);
  const reply = result === undefined ? { error: { code: -32_601, message: "unknown method" } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, ...reply })}\n`);
}

process.on("SIGTERM", () => {}).on("SIGHUP", () => {});
process.stdout.on("error", () => {});
setInterval(() => {}, 60_000);
createInterface({ input: process.stdin }).on("line", (line) => void answer(JSON.parse(line) as Request));

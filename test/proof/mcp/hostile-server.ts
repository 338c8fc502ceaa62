/** `node hostile-server.ts <vice> <phase>`: an MCP server of 2025 over its standard streams that does one thing wrong. */
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Phase, Vice } from "./vices.ts";

interface Request {
  readonly id?: number;
  readonly method?: string;
}

const [vice, phase] = process.argv.slice(2) as [Vice, Phase];
const OK_TOOL = { name: "echo", inputSchema: { type: "object" } };

function write(text: string): void {
  process.stdout.write(`${text}\n`);
}

function answer(id: number | undefined, result: unknown): void {
  write(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

function nested(depth: number): string {
  return `${'{"type":"object","properties":{"a":'.repeat(depth)}{}${"}}".repeat(depth)}`;
}

function badTools(): string {
  const schemas = [
    '{"type":"object","properties":{"a":{"type":"string","pattern":"(a+)+$"}}}',
    '{"type":"object","properties":{"a":{"type":"string","pattern":"["}}}',
    '{"type":"object","$defs":{"a":{"$ref":"#/$defs/a"}},"properties":{"a":{"$ref":"#/$defs/a"}}}',
    `{"type":"object","properties":{"a":${nested(phase === "start" ? 40 : 1_000)}}}`,
    '{"type":"object","__proto__":{"a":1}}',
  ];
  return `[${schemas.map((schema, index) => `{"name":"t${index}","inputSchema":${schema}}`).join(",")}]`;
}

/** Processes that ignore TERM, in the group and beside it. */
function startGrandchildren(): void {
  const script = 'trap "" TERM; while :; do sleep 1; done';
  for (const detached of [false, true]) spawn("/bin/sh", ["-c", script], { detached, stdio: "ignore" }).unref();
  process.on("SIGTERM", () => {});
  process.stdin.on("end", () => setInterval(() => {}, 1_000));
}

/** Does the wrong thing; returns whether an answer follows. */
function misbehave(id: number | undefined): boolean {
  switch (vice) {
    case "garbage":
      for (let n = 0; n < 2_000; n++) write(["{", "", "null", '{"jsonrpc":"2.0"}', "\u0000\ufffd"][n % 5]!);
      return true;
    case "wrong-ids":
      answer((id ?? 0) + 1_000, {});
      write('{"jsonrpc":"2.0","id":{"a":1},"result":{}}');
      return true;
    case "doubled-ids":
      for (let n = 0; n < 5; n++) answer(id, { tools: [], content: [] });
      return true;
    case "long-line":
      for (let n = 0; n < 50; n++) process.stdout.write("x".repeat(1024 * 1024));
      return true;
    case "many-changes":
      setInterval(() => write('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'), 10).unref();
      return true;
    case "exit":
      process.exit(3);
      return false;
    case "silence":
      return false;
    case "grandchildren":
      startGrandchildren();
      return true;
    case "many-values":
      write(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[${"0,".repeat(2_000_000)}0]}}`);
      return false;
    case "error-flood":
      for (let n = 0; n < 100; n++) process.stderr.write("e\n".repeat(32_768));
      return true;
    case "closed-output":
      process.stdout.end();
      return false;
    default:
      return true;
  }
}

function respond({ id, method }: Request): void {
  if (id === undefined) return;
  if (method === "initialize") {
    const capabilities = { tools: { listChanged: true } };
    answer(id, { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "hostile", version: "1" } });
  } else if (method === "tools/list") {
    if (vice === "bad-schemas") write(`{"jsonrpc":"2.0","id":${id},"result":{"tools":${badTools()}}}`);
    else answer(id, { tools: [OK_TOOL], ...(vice === "endless-cursors" && { nextCursor: `c${id}` }) });
  } else if (method === "tools/call") answer(id, { content: [{ type: "text", text: "ok" }] });
  else write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_601, message: "unknown method" } }));
}

// A client that ended the connection is no reason to write of it.
process.stdout.on("error", () => process.exit(0));
if (phase === "start" && !misbehave(undefined) && vice === "exit") writeSync(2, "ended");
createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line) as Request;
  if (request.method === phase && request.id !== undefined && !misbehave(request.id)) return;
  respond(request);
});

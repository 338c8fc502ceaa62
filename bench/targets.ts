/** The three that are measured, and what each is asked in each operation. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Connection, post } from "./connection.ts";
import { type Server, type ServerCommand, startServer } from "./process.ts";

/** What is measured. */
export type Operation = "send" | "tool" | "stream" | "get";

/** One request and how to know that its answer is whole. */
export interface Exchange {
  readonly request: string;
  /** Part of every whole answer. */
  readonly whole: readonly string[];
  /** Part of the first chunk with text of the answer (streams). */
  readonly delta?: string;
}

/** A server, and the exchanges that make up one operation, one after the other; a function where each operation has its own. */
export interface Target {
  readonly name: string;
  readonly server: Server;
  readonly operations: Readonly<Partial<Record<Operation, readonly Exchange[] | (() => readonly Exchange[])>>>;
}

/** Deltas of one streamed answer. */
export const DELTAS = 200;
/** The operator's token of the service under measurement. */
export const BENCH_TOKEN = "bench-token";
const TOOL = 'tool calculator {"expression":"6*7"}';
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The built service. */
export const serviceMain = here("../apps/server/dist/main.js");

/** Starts the gateway. */
export function startGateway(): Promise<Server> {
  return startServer({ args: [here("gateway.ts")], port: /^(\d+)$/ });
}

/** Starts the bare echo. */
export function startEcho(): Promise<Server> {
  return startServer({ args: [here("echo.ts")], port: /^(\d+)$/ });
}

/** A home for the service on the disk this folder is on: a store in memory-backed folders would flatter it. */
export function newHome(): string {
  mkdirSync(here("out"), { recursive: true });
  return mkdtempSync(here("out/home-"));
}

/** How the built service is started: bearer token on, everything durable, its own defaults otherwise. */
export function serviceCommand(gateway: Pick<Server, "port">, home: string): ServerCommand {
  return {
    args: [serviceMain, "--port", "0"],
    port: /A2A +http:\/\/127\.0\.0\.1:(\d+)/,
    env: {
      SVC_HOME: home,
      SVC_CONFIG_DIR: join(home, "config"),
      SVC_MODEL: "bench-1",
      MODEL_API_BASE: `http://127.0.0.1:${gateway.port}/v1`,
      MODEL_API_KEY: "bench-key",
      A2A_AUTH_TOKEN: BENCH_TOKEN,
    },
  };
}

/** A JSON-RPC request to the service, as 0.3 writes it. */
export function ask(method: string, text: string, more: { contextId?: string; messageId?: string } = {}): string {
  const message = { kind: "message", messageId: "bench", role: "user", parts: [{ kind: "text", text }], ...more };
  return post("/a2a", { jsonrpc: "2.0", id: 1, method, params: { message } }, BENCH_TOKEN);
}

/** The service as a target. Makes one task, for reads. */
export async function serviceTarget(server: Server): Promise<Target> {
  const connection = new Connection(server.port);
  const { body } = await connection.send(ask("message/send", "hello"));
  connection.close();
  const [, id] = /"id":"([0-9a-f-]{36})"/.exec(body) ?? [];
  if (id === undefined || !body.includes('"state":"completed"')) throw new Error(`no task: ${body.slice(0, 300)}`);
  const completed = '"state":"completed"';
  const read = post("/a2a", { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id } }, BENCH_TOKEN);
  return {
    name: "service",
    server,
    operations: {
      send: [{ request: ask("message/send", "hello"), whole: [completed, "done"] }],
      tool: [{ request: ask("message/send", TOOL), whole: [completed, "done"] }],
      stream: [
        {
          request: ask("message/stream", `words ${DELTAS}`),
          whole: [completed, `w${DELTAS - 1} `],
          delta: '"artifact-update"',
        },
      ],
      get: [{ request: read, whole: [completed] }],
    },
  };
}

/** The gateway called directly: what a turn must cost at least. A turn with one tool is two calls. */
export function gatewayTarget(server: Server): Target {
  const call = (content: string, more: readonly object[] = []): string => {
    const messages = [{ role: "user", content }, ...more];
    return post("/v1/chat/completions", { model: "bench-1", stream: true, messages }, "bench-key");
  };
  const result = { role: "tool", tool_call_id: "call_1", content: "42" };
  return {
    name: "gateway",
    server,
    operations: {
      send: [{ request: call("hello"), whole: ["done", "[DONE]"] }],
      tool: [
        { request: call(TOOL), whole: ["tool_calls", "[DONE]"] },
        { request: call(TOOL, [result]), whole: ["done", "[DONE]"] },
      ],
      stream: [{ request: call(`words ${DELTAS}`), whole: [`w${DELTAS - 1} `, "[DONE]"], delta: '"content":"w' }],
    },
  };
}

/** The bare echo: what an HTTP round trip costs at least. */
export function echoTarget(server: Server): Target {
  const request = ask("message/send", "hello");
  return {
    name: "echo",
    server,
    operations: { send: [{ request, whole: ["hello"] }], get: [{ request, whole: ["hello"] }] },
  };
}

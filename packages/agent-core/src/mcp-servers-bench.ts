/** MCP servers for tests: real servers over HTTP, a real store, a clock turned by hand. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { jsonInput } from "@agent-service/plugin-sdk";
import { type FakeContextOptions, fakeContext } from "@agent-service/plugin-sdk/testing";
import { parse } from "valibot";
import { type Database, openDatabase } from "./database/index.ts";
import { benchThreads } from "./database-bench.ts";
import { createEgress } from "./egress/index.ts";
import { DefinitionPins, type McpSectionValue, McpServers, type McpServersOptions, mcpSection } from "./mcp/index.ts";
import { createRedactor } from "./redaction/index.ts";
import { manualClock } from "./testing/index.ts";

/** Answers a request, whose body was read. */
export type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** A secret that the redactor knows. */
export const SECRET = "a-known-secret";

const NO_SIGN_INS: McpServersOptions["signIn"] = {
  grants: { read: () => undefined, save: async () => {} },
  egressFor: () => createEgress(),
  clientDocument: () => undefined,
};

const section = (value: object): McpSectionValue => parse(mcpSection.schema, { enabled: true, ...value });

/** A store of its own for each test: `begin` before, `end` behind. */
export function serversBench() {
  let db: Database;
  const closing: (() => unknown)[] = [];

  async function begin(): Promise<void> {
    db = await openDatabase({ url: ":memory:", schema: "tasks", owner: { name: "test" }, threads: benchThreads });
  }

  async function end(): Promise<void> {
    for (const close of closing.splice(0).reverse()) await close();
    await db.close();
  }

  /** Begins an HTTP server and resolves with its address. */
  async function serve(handle: Handle): Promise<string> {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => void handle(request, response, body));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  /** MCP servers with these settings, which are connecting. */
  async function open(first: object, pins?: DefinitionPins) {
    let current = section(first);
    const clock = manualClock();
    const events: string[] = [];
    const log = { info: () => {}, warn: () => {} };
    const servers = new McpServers({
      ...{
        clock,
        log,
        redactor: createRedactor({ secrets: () => [SECRET] }),
        inputOf: jsonInput,
        db,
        version: "1",
        signIn: NO_SIGN_INS,
        environment: {},
      },
      pins: pins ?? (await DefinitionPins.open(db)),
      bus: { publish: (topic, data) => void events.push(`${topic} ${JSON.stringify(data)}`) },
      settings: () => current,
      isForbidden: () => false,
      writable: () => [],
      sampler: { sample: () => Promise.reject(new Error("there is no model")) },
      source: { egressFor: ({ url }) => createEgress({ allowedHosts: [new URL(url).hostname] }) },
      traceparent: (task, call) => `00-${task}-${call}-01`,
    });
    closing.push(() => servers.stop());
    servers.start();
    const save = (value: object): void => {
      current = section(value);
      servers.follow();
    };
    const state = (name: string) => servers.get(name)?.state;
    const ready = async (name: string): Promise<void> => {
      while (state(name) !== "ready") await setImmediate();
    };
    const tool = (name: string) => {
      const found = servers.tools().find((one) => one.name === name);
      if (found === undefined) throw new Error(`there is no tool ${name}`);
      return found;
    };
    return { servers, clock, events, save, ready, state, tool };
  }

  return { begin, end, serve, open, store: () => db };
}

/** A context, and what a call keeps in it. */
export const kept = (options: FakeContextOptions = {}) => {
  const notes: unknown[] = [];
  return { notes, context: fakeContext({ keep: async (note) => void notes.push(note), ...options }) };
};

/** What a call throws. */
export const errorOf = (outcome: unknown): Promise<Error> =>
  Promise.resolve(outcome).then(
    () => Promise.reject(new Error("it did not fail")),
    (error: Error) => error,
  );

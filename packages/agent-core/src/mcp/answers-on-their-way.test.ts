/** Answers to a form that were on their way to a server when the service was killed: a person says what follows (R3, M7). */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as v from "valibot";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, call, callsOf, coreBench, STANDARD } from "../core-bench.ts";
import { delegation, subagentsSection } from "../delegation/index.ts";
import type { PromptPayload } from "../event/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { mcpSection, mcpServers } from "./index.ts";

const bench = coreBench();
const closing: (() => void)[] = [];
afterEach(async () => {
  await bench.end();
  for (const close of closing.splice(0)) close();
});
afterAll(() => bench.remove());

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly inputResponses?: object };
  readonly result?: { readonly content?: object };
}

const FORM = { message: "Which word?", requestedSchema: { type: "object", properties: { word: { type: "string" } } } };
const TOOLS = [{ name: "sign", inputSchema: { type: "object" } }];

/** A server that asks for a word and, while it `hangs`, answers no more once it has one. */
class Asking {
  readonly url: Promise<string>;
  hangs = true;
  /** What it was answered with. */
  readonly words: unknown[] = [];
  #waiting: ServerResponse | undefined;

  constructor(era: "2025" | "2026") {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        if (request.method !== "POST") return response.writeHead(405).end();
        const message = JSON.parse(body) as Message;
        return era === "2025" ? this.#older(message, response) : this.#newer(message, response);
      });
    });
    this.url = new Promise((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)),
    );
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
  }

  #newer({ id, method, params }: Message, response: ServerResponse): unknown {
    const listed = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    if (method === "server/discover")
      return send(response, id, { ...listed, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
    if (method === "tools/list") return send(response, id, { ...listed, tools: TOOLS });
    const { inputResponses } = params ?? {};
    if (inputResponses === undefined) {
      const inputRequests = { word: { method: "elicitation/create", params: FORM } };
      return send(response, id, { resultType: "input_required", inputRequests, requestState: "state" });
    }
    this.words.push(inputResponses);
    return this.hangs ? undefined : send(response, id, { resultType: "complete", ...SIGNED });
  }

  #older({ id, method, result }: Message, response: ServerResponse): unknown {
    if (method === "initialize") {
      const serverInfo = { name: "asking", version: "1" };
      return send(response, id, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
    }
    if (method === "tools/list") return send(response, id, { tools: TOOLS });
    if (method === "tools/call") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      stream(response, { id: `ask-${id}`, method: "elicitation/create", params: FORM });
      this.#waiting = response;
      return undefined;
    }
    if (id === undefined) return response.writeHead(202).end();
    if (result === undefined) {
      const error = { code: -32_601, message: "no such method" };
      return response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, error }));
    }
    response.writeHead(202).end();
    this.words.push(result);
    if (this.hangs || this.#waiting === undefined) return undefined;
    stream(this.#waiting, { id: Number(String(id).slice(4)), result: SIGNED });
    return this.#waiting.end();
  }
}

const SIGNED = { content: [{ type: "text", text: "signed" }] };

function send(response: ServerResponse, id: Message["id"], result: object): unknown {
  return response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

function stream(response: ServerResponse, message: object): void {
  response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
}

async function life(server: Asking, store: string) {
  const values: Record<string, unknown> = {
    mcp: v.parse(mcpSection.schema, { enabled: true, servers: [{ name: "s", url: await server.url }] }),
    ...{ subagents: v.parse(subagentsSection.schema, {}), egress: { allowed_hosts: [] } },
    ...{ routing: { aux_model: "" }, projects: [] },
  };
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "tool" ? last.text : [call("s__sign")];
  });
  const core = await bench.start({
    ...{ model, store, onRestart: "resume" },
    features: [
      mcpServers({
        ...{ environment: {}, isForbidden: () => false, version: "1" },
        ...{ saveGrant: async () => {}, clientDocument: () => undefined },
      }),
      delegation,
      ...STANDARD,
    ],
    settings: ({ name }) => values[name] as never,
  });
  await expect.poll(() => core.features.mcp.get("s")?.state).toBe("ready");
  return core;
}

/** Answers the form, and kills the service while the server has the answer. */
async function diedAnswering(server: Asking) {
  const store = bench.newStore();
  const first = await life(server, store);
  const begun = await first.tasks.start({ context: "c", text: "sign" });
  expect((await begun.settled()).prompts).toMatchObject([{ payload: { kind: "form" } }]);
  await first.tasks.answer(begun.id, { answer: { word: "yes" } });
  await expect.poll(() => server.words).toHaveLength(1);
  await bench.crash(first);
  server.hangs = false;
  const core = await life(server, store);
  const task = (await core.tasks.get(begun.id))!;
  return { core, task };
}

const titleOf = (payload: PromptPayload | undefined) => (payload?.kind === "approval" ? payload.title : payload?.kind);

describe.each(["2026", "2025"] as const)("of a server of %s", (era) => {
  test("a person is asked whether the call is made again", async () => {
    const server = new Asking(era);
    const { core, task } = await diedAnswering(server);
    const { state, prompts } = await task.settled();
    expect([state, titleOf(prompts[0]?.payload)]).toEqual(["parked", "Run s__sign again?"]);
    expect(server.words).toHaveLength(1);
    await core.tasks.answer(task.id, { answer: "approve" });
    if (era === "2025") {
      // What it asked is gone with its connection: it asks anew.
      expect(titleOf((await task.settled()).prompts[0]?.payload)).toBe("form");
      await core.tasks.answer(task.id, { answer: { word: "yes" } });
    }
    await task.ended();
    expect(answerText(task)).toBe("signed");
    expect(server.words).toHaveLength(2);
    expect(server.words[1]).toEqual(server.words[0]);
  });

  test("nothing is sent where the person says no", async () => {
    const server = new Asking(era);
    const { core, task } = await diedAnswering(server);
    await task.settled();
    await core.tasks.answer(task.id, { answer: "decline" });
    await task.ended();
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "unknown" }]);
    expect(server.words).toHaveLength(1);
  });
});

/** What servers may ask of the service: `sampling` and `roots` of a server (M11), asked by real servers of both eras. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as v from "valibot";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, call, callsOf, coreBench, eventsOfKind, STANDARD, textInput } from "../../core-bench.ts";
import { delegation, subagentsSection } from "../../delegation/index.ts";
import type { ModelRequest } from "../../model/index.ts";
import { createRedactor } from "../../redaction/index.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { type ScriptedTurn, scriptedModel } from "../../testing/scripted-model.ts";
import { mcpSection, mcpServers } from "../index.ts";

const bench = coreBench();
const closing: (() => void)[] = [];
afterEach(async () => {
  await bench.end();
  for (const close of closing.splice(0)) close();
});
afterAll(() => bench.remove());

/** Asks for what the arguments of a call say, one after another, and answers with what it was answered. */
const PROGRAM = `
  import { createInterface } from "node:readline";
  const waiting = new Map();
  let asked = 0;
  let capabilities;
  const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const ask = (method, params) => new Promise((resolve) => {
    const id = "asked-" + asked++;
    waiting.set(id, resolve);
    send({ id, method, params });
  });
  async function answer({ id, method, params }) {
    if (method === "initialize") {
      ({ capabilities } = params);
      const serverInfo = { name: "program", version: "1" };
      return send({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo } });
    }
    if (method === "tools/list")
      return send({ id, result: { tools: [{ name: "ask", inputSchema: { type: "object" } }] } });
    if (method !== "tools/call") return send({ id, error: { code: -32601, message: "no such method" } });
    const { sampling, roots } = capabilities;
    const answers = [{ sampling, roots }];
    for (const [asks, about] of params.arguments.asks) answers.push(await ask(asks, about));
    send({ id, result: { content: [{ type: "text", text: JSON.stringify(answers) }] } });
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.method !== undefined) void answer(message);
    else {
      waiting.get(message.id)?.(message.error ?? message.result);
      waiting.delete(message.id);
    }
  }
`;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly arguments?: { readonly asks: readonly [string, object][] };
    readonly inputResponses?: object;
    readonly _meta?: Record<string, { readonly sampling?: object; readonly roots?: object }>;
  };
}

/** As the program, over HTTP in the revision of 2026: it asks for all of it at once. */
async function service(): Promise<string> {
  const resultOf = ({ method, params = {} }: Message): object => {
    const listed = { ttlMs: 0, cacheScope: "private" };
    if (method === "server/discover")
      return { ...listed, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
    if (method === "tools/list") return { ...listed, tools: [{ name: "ask", inputSchema: { type: "object" } }] };
    const { sampling, roots } = params._meta?.["io.modelcontextprotocol/clientCapabilities"] ?? {};
    const { inputResponses } = params;
    if (inputResponses !== undefined) {
      const answers = [{ sampling, roots }, ...Object.values(inputResponses)];
      return { content: [{ type: "text", text: JSON.stringify(answers) }] };
    }
    const asks = params.arguments?.asks ?? [];
    const inputRequests = Object.fromEntries(
      asks.map(([asked, about], at) => [`q${at}`, { method: asked, params: about }]),
    );
    return { resultType: "input_required", inputRequests, requestState: "state" };
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      if (request.method !== "POST") return response.writeHead(405).end();
      const message = JSON.parse(body) as Message;
      if (message.id === undefined) return response.writeHead(202).end();
      const result = { resultType: "complete", ...resultOf(message) };
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const ERAS = ["a program of 2025", "a service of 2026"] as const;
const declared = async (era: (typeof ERAS)[number]): Promise<object> =>
  era === ERAS[0]
    ? { command: process.execPath, args: ["--input-type=module", "-e", PROGRAM] }
    : { url: await service() };

const question = (text: string, more: object = {}) =>
  [
    "sampling/createMessage",
    { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 100, ...more },
  ] as const;
/** One that the redactor knows. */
const SECRET = "a-known-secret";
const ROOTS = ["roots/list", {}] as const;

interface SceneOptions {
  readonly server: object;
  readonly asks: readonly (readonly [string, object])[];
  readonly answer?: (request: ModelRequest, count: number) => ScriptedTurn;
  readonly section?: object;
  readonly store?: string;
}

/** An engine whose turns call the server's tool, and a model that servers are answered by. */
async function scene({ server, asks, answer = () => "forty-two", section = {}, ...options }: SceneOptions) {
  const sampled: ModelRequest[] = [];
  const clock = manualClock();
  const model = scriptedModel((request): ScriptedTurn => {
    if (request.system?.startsWith("A program that the agent uses") === true) {
      sampled.push(request);
      return answer(request, sampled.length);
    }
    const last = request.messages.at(-1);
    return last?.role === "tool" ? last.text : [call("s__ask", { asks })];
  });
  const mcp = v.parse(mcpSection.schema, {
    ...{ enabled: true, servers: [{ name: "s", effects: { "*": "effect" }, ...server }] },
    ...section,
  });
  const values: Record<string, unknown> = {
    mcp,
    subagents: v.parse(subagentsSection.schema, {}),
    egress: { allowed_hosts: [] },
    routing: { aux_model: "" },
    projects: [
      { path: "/work/notes", write: true },
      { path: "/work/read only", write: false },
      { path: "~/letters", write: true },
    ],
  };
  const core = await bench.start({
    ...{
      model,
      clock,
      redactor: createRedactor({ secrets: () => [SECRET] }),
      ...(options.store !== undefined && { store: options.store }),
    },
    features: [
      mcpServers({
        ...{ environment: { PATH: process.env.PATH }, isForbidden: () => false, version: "1" },
        ...{ saveGrant: async () => {}, clientDocument: () => undefined },
      }),
      delegation,
      ...STANDARD,
    ],
    settings: ({ name }) => values[name] as never,
  });
  await expect.poll(() => core.features.mcp.get("s")?.state).toBe("ready");
  const start = () =>
    core.service.start({ ...{ class: "operator", origin: "chat", context: "c" }, input: textInput("go") });
  const run = async () => {
    const handle = await start();
    await handle.ended();
    return handle;
  };
  const children = async (parent: string) => {
    const rows = await core.db.read({ sql: "SELECT id FROM task WHERE parent = ? ORDER BY id", args: [parent] });
    return Promise.all(rows.map(async ([id]) => (await core.service.get(String(id)))?.view));
  };
  return { core, clock, sampled, start, run, children };
}

const answersIn = (text: string | undefined) => JSON.parse(text ?? "[]") as Record<string, unknown>[];

describe.each(ERAS)("%s", (era) => {
  test("has an answer of a model and the writable folders, where its settings say so", async () => {
    const asks = [question(`6 * 7? ${SECRET}`, { systemPrompt: "Count.", maxTokens: 9_000 }), ROOTS];
    const server = { ...(await declared(era)), sampling: true, roots: true };
    const { core, sampled, run, children } = await scene({ server, asks });
    const handle = await run();
    const [offered, answer, roots] = answersIn(answerText(handle));
    expect(offered).toEqual({ sampling: {}, roots: {} });
    expect(answer).toMatchObject({
      ...{ role: "assistant", content: { type: "text", text: "forty-two" } },
      ...{ model: "scripted", stopReason: "endTurn" },
    });
    expect(roots).toMatchObject({
      roots: [
        { uri: "file:///work/notes", name: "notes" },
        { uri: pathToFileURL(join(homedir(), "letters")).href, name: "letters" },
      ],
    });
    expect(roots?.roots).toHaveLength(2);
    expect(sampled).toHaveLength(1);
    expect(sampled[0]).toMatchObject({ settings: { maxTokens: 4_096 } });
    expect(sampled[0]?.tools ?? []).toEqual([]);
    expect(JSON.stringify([sampled[0]?.system, sampled[0]?.messages])).toContain("Count.");
    expect(JSON.stringify(sampled)).not.toContain(SECRET);
    const [child] = await children(handle.view.id);
    const [made] = await callsOf(core, handle.view.id);
    expect(child).toMatchObject({
      ...{ role: "mcp_sampling", origin: "subagent", class: "operator", state: "completed" },
      parent: { task: handle.view.id, call: made?.call },
    });
    // Billed with the turn, as every delegation.
    expect(await eventsOfKind(core, handle.view.id, "delegation.finished")).toMatchObject([{ task: child?.id }]);
  });

  test("has neither without its settings", async () => {
    const { core, sampled, run } = await scene({ server: await declared(era), asks: [question("6 * 7?")] });
    const handle = await run();
    const [made] = await callsOf(core, handle.view.id);
    if (era === ERAS[0])
      expect(answersIn(answerText(handle))).toEqual([{}, expect.objectContaining({ code: -32_601 })]);
    else expect(made).toMatchObject({ outcome: "error", result: expect.stringContaining("does not offer") });
    expect(sampled).toEqual([]);
  });

  test("has at most five answers in one call", async () => {
    const asks = Array.from({ length: 6 }, (_, at) => question(`question ${at}`));
    const { core, sampled, run } = await scene({ server: { ...(await declared(era)), sampling: true }, asks });
    const handle = await run();
    const [made] = await callsOf(core, handle.view.id);
    expect(String(made?.result)).toContain("more than 5 times during one call");
    expect(sampled).toHaveLength(5);
  });

  test("is refused a question that is not one, and no model is asked", async () => {
    const asks = [["sampling/createMessage", { messages: [], maxTokens: 1 }] as const];
    const { core, sampled, run } = await scene({ server: { ...(await declared(era)), sampling: true }, asks });
    const handle = await run();
    const [made] = await callsOf(core, handle.view.id);
    expect(String(made?.result)).toMatch(/asked a model with no message/);
    expect(sampled).toEqual([]);
  });

  test("is answered no longer once its call is over: the answer's task ends", async () => {
    const server = { ...(await declared(era)), sampling: true, call_timeout: 5 };
    const answer = (): ScriptedTurn => [{ hang: true }];
    const { core, clock, sampled, start, children } = await scene({ server, asks: [question("6 * 7?")], answer });
    const handle = await start();
    await expect.poll(() => sampled.length).toBe(1);
    await clock.advance(5_000);
    await handle.ended();
    const [made] = await callsOf(core, handle.view.id);
    expect(made).toMatchObject({ outcome: "unknown" });
    expect((await children(handle.view.id)).map((child) => child?.state)).toEqual(["canceled"]);
  });
});

test("an answer that was on its way at a kill is waited for by the next process, and the call goes on", async () => {
  const server = { ...(await declared(ERAS[1])), sampling: true };
  const store = bench.newStore();
  const asks = [question("6 * 7?")];
  const first = await scene({ server, asks, store, answer: () => [{ hang: true }] });
  const { view } = await first.start();
  await expect.poll(() => first.sampled.length).toBe(1);
  await bench.crash(first.core);
  const second = await scene({ server, asks, store });
  const handle = await second.core.service.get(view.id);
  await handle?.ended();
  expect(answersIn(handle && answerText(handle)).at(-1)).toMatchObject({ content: { text: "forty-two" } });
  expect(second.sampled).toHaveLength(1);
  expect(await second.children(view.id)).toHaveLength(1);
});

/** Telemetry on the running service (B46; B60 `telemetry`; R12, R13). */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { temporaryFolders, textParams } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const running: TestService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});

async function start(options: Parameters<typeof startTestService>[0] = {}): Promise<TestService> {
  const service = await startTestService(options);
  running.push(service);
  return service;
}

async function get(service: TestService, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(service.url + path);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const MODELS = `
model: {name: "main:demo"}
providers:
  - id: main
    type: scripted
    models: {demo: {price: {input: 1000000, output: 2000000}}}
`;

it("lists every turn with its tokens and the cost by the connection's own price", async () => {
  const service = await start({ config: MODELS });
  const task = await service.wire.say("hello");
  const { enabled, turns, next_cursor } = await get(service, "/api/telemetry/recent?limit=5");
  expect([enabled, next_cursor]).toEqual([true, null]);
  const [turn] = turns as { [name: string]: unknown }[];
  expect(turn).toMatchObject({
    task_id: (task as { id: string }).id,
    origin: "a2a",
    state: "completed",
    success: 1,
    model: "demo",
    llm_calls: 1,
    soul_rev: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
  const { input_tokens: input, output_tokens: output } = turn as { input_tokens: number; output_tokens: number };
  expect(turn?.cost_usd).toBe(input + 2 * output);
  expect(service.log.filter((line) => line.includes("prompt cache"))).toEqual([]);
  // A11: the task has its cost too.
  const COST = "urn:agent-service:a2a:ext:cost-v1";
  expect((task as { metadata: { [uri: string]: unknown } }).metadata[COST]).toMatchObject({ costUsd: turn?.cost_usd });
  const { summary } = await get(service, "/api/telemetry/summary");
  expect(summary).toMatchObject({ turns: 1, successes: 1, cost_usd: turn?.cost_usd, unpriced_turns: 0 });
  expect(await get(service, "/api/telemetry/insights")).toMatchObject({ enabled: true, insights: { turns: 1 } });
  const { series } = await get(service, "/api/telemetry/series?bucket=day");
  expect((series as { turns: number }[]).at(-1)).toMatchObject({ turns: 1, successes: 1 });
  const csv = await (await fetch(`${service.url}/api/telemetry/export`)).text();
  expect(csv.split("\r\n")).toHaveLength(3);
  expect(existsSync(join(service.folders.home, "telemetry.db"))).toBe(true);

  // A failed call reported no tokens: its cost is unknown, not zero.
  const failed = (await service.wire.say("/fail 400")) as { metadata: { [uri: string]: unknown } };
  expect(failed.metadata[COST]).not.toHaveProperty("costUsd");
  const { turns: after } = await get(service, "/api/telemetry/recent?limit=1");
  expect(after).toMatchObject([{ state: "failed", cost_usd: null, models: [{ calls: 1, cost_usd: null }] }]);
  expect((await get(service, "/api/telemetry/summary")).summary).toMatchObject({
    turns: 2,
    cost_usd: turn?.cost_usd,
    unpriced_turns: 1,
  });
});

it("keeps nothing and reports that while it is off", async () => {
  const service = await start({ config: "telemetry: {enabled: false}\nprompts: {capture: false}\n" });
  await service.wire.say("hello");
  expect(await get(service, "/api/telemetry/summary")).toEqual({ enabled: false });
  expect(existsSync(join(service.folders.home, "telemetry.db"))).toBe(false);
});

it("uses the home where the configured store cannot be written, and reports it", async () => {
  const folders = temporaryFolders();
  mkdirSync(folders.home, { recursive: true });
  writeFileSync(join(folders.home, "a-file"), "");
  const service = await start({ folders, config: `telemetry: {db_path: ${join(folders.home, "a-file", "t.db")}}\n` });
  await service.wire.say("hello");
  expect((await get(service, "/api/telemetry/recent")).turns).toHaveLength(1);
  expect(service.log.filter((line) => line.includes("telemetry.db_path"))).toHaveLength(1);
  await service.stop();
  folders.remove();
});

it("keeps what the model was sent, and a line for every tool call, without the operator's secrets", async () => {
  const service = await start({
    config:
      "identity: {name: Ada}\nauth: {token: the-operators-own-secret}\nprompts: {retention_days: 3, max_calls: 700}\n",
  });
  const headers = { authorization: "Bearer the-operators-own-secret" };
  const wire = service.wireAs(headers);
  const task = (await wire.say('/call calculator {"expression": "6*7"}')) as { readonly id: string };
  await wire.say('/call calculator {"expression": "the-operators-own-secret"}');
  await service.service.core.feed.idle();
  const audit = readFileSync(join(service.folders.home, "logs", "audit.jsonl"), "utf8");
  const lines = audit
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines).toMatchObject([
    { tool: "calculator", args: '{"expression":"6*7"}', task: task.id, success: true, outcome: "ok" },
    { tool: "calculator", args: '{"expression":"***"}', success: false },
  ]);
  expect(audit).not.toContain("the-operators-own-secret");
  const read = async (path: string) => (await fetch(service.url + path, { headers })).json();
  // At once, though calls are written behind the turn.
  expect(await read(`/api/prompts/${task.id}`)).toMatchObject({
    enabled: true,
    calls: [
      { call_index: 1, model: "demo", system: { stable: expect.stringContaining("You are Ada") } },
      { call_index: 2, task_id: task.id },
    ],
  });
  expect(await read("/api/prompts/last")).toMatchObject({
    enabled: true,
    retention: { retention_days: 3, max_calls: 700, calls: 4, binding_cap: "retention_days" },
  });
  const { features } = (await read("/api/runtime/status")) as { features: object };
  expect(features).toMatchObject({ prompts: { enabled: true }, audit: { enabled: true } });
});

it("returns the prompt of the turn that ended last, however it ended", async () => {
  const service = await start();
  const last = async () => {
    const { call, retention } = await get(service, "/api/prompts/last");
    return [(call as { task_id?: string }).task_id, (retention as { calls: number }).calls];
  };
  const done = (await service.wire.say("hello")) as { readonly id: string };
  expect(await last()).toEqual([done.id, 1]);
  const failed = (await service.wire.say("/fail 400")) as { readonly id: string };
  expect(await last()).toEqual([failed.id, 2]);
  const stream = await service.wire.stream("message/stream", textParams("/say begun\n/wait 60000"));
  const { frame } = await stream.until(({ kind }) => kind === "artifact-update");
  await service.wire.result("tasks/cancel", { id: frame.taskId });
  expect(await last()).toEqual([frame.taskId, 3]);
});

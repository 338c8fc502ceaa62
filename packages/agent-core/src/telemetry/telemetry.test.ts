import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { systemClock } from "../clock/index.ts";
import { coreBench, countedTool, reading } from "../core-bench.ts";
import { type Database, openDatabase, type Row } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import { scriptedModel } from "../testing/index.ts";
import { Telemetry } from "./telemetry.ts";

const bench = coreBench();
const folder = mkdtempSync(join(tmpdir(), "telemetry-"));
const open = new Set<Database>();
afterEach(async () => {
  await bench.end();
  for (const db of open) await db.close();
  open.clear();
});
afterAll(() => {
  bench.remove();
  rmSync(folder, { recursive: true });
});

let files = 0;
const newFile = (): string => `file:${join(folder, `${files++}.db`)}`;

async function openStore(url: string): Promise<Database> {
  const db = await openDatabase({ url, owner: { name: "test" }, schema: "observation", threads: benchThreads });
  open.add(db);
  return db;
}

async function close(db: Database): Promise<void> {
  open.delete(db);
  await db.close();
}

const usage = { usage: { input: 1000, output: 100, cacheRead: 400 } } as const;
const price = { input: 10, output: 20, cacheRead: 1 };

async function rows(db: Database, columns: string): Promise<readonly Row[]> {
  return db.read({ sql: `SELECT ${columns} FROM turn ORDER BY created_at, task`, args: [] });
}

test("every turn that ends has a row with its tokens, cost, calls and tools, failed and canceled ones too", async () => {
  const db = await openStore(newFile());
  const hanging = Promise.withResolvers<void>();
  const model = scriptedModel([
    [usage, { call: { name: "count" } }],
    [usage, { say: "Done." }],
    [usage, { fail: new Error("broken") }],
    [{ until: hanging.promise }],
  ]);
  const core = await bench.start({
    model: { model, name: "priced", price },
    tools: [countedTool("count").tool],
    features: [reading(new Telemetry({ db: async () => db, clock: systemClock(), persona: () => "p1" }))],
  });
  const done = await core.tasks.start({ context: "c1", text: "go" });
  await done.settled();
  await (await core.tasks.start({ context: "c2", text: "go" })).settled();
  const third = await core.tasks.start({ context: "c3", text: "go" });
  await model.untilCall(4);
  await core.tasks.cancel(third.id);
  await core.feed.idle();
  const columns =
    "context, state, success, model, input, output, cache_read, model_calls, tool_calls, context_tokens, persona";
  expect(await rows(db, columns)).toEqual([
    ["c1", "completed", 1, "priced", 2000, 200, 800, 2, 1, 1000, "p1"],
    ["c2", "failed", 0, "priced", 1000, 100, 400, 1, 0, 1000, "p1"],
    ["c3", "canceled", 0, "priced", 0, 0, 0, 1, 0, 0, "p1"],
  ]);
  const [cost, failedCost, canceledCost] = (await rows(db, "cost_usd")).flat();
  expect(cost).toBeCloseTo((2 * (600 * 10 + 400 * 1 + 100 * 20)) / 1e6, 12);
  expect(failedCost).toBeCloseTo((600 * 10 + 400 * 1 + 100 * 20) / 1e6, 12);
  expect(canceledCost).toBeNull();
  const [durations] = (await rows(db, "tool_durations")).flat();
  expect(JSON.parse(String(durations))).toEqual({ count: [expect.any(Number)] });
  hanging.resolve();
});

test("where no price is known the cost is null, not nothing", async () => {
  const db = await openStore(newFile());
  const core = await bench.start({
    model: { model: scriptedModel([[usage, { say: "Done." }]]), name: "unheard-of" },
    features: [reading(new Telemetry({ db: async () => db, clock: systemClock() }))],
  });
  await (await core.tasks.start({ text: "go" })).settled();
  await core.feed.idle();
  expect(await rows(db, "cost_usd, input")).toEqual([[null, 1000]]);
});

test("a turn that waits for a person has a row without success, which its end replaces", async () => {
  const db = await openStore(newFile());
  const model = scriptedModel([[{ call: { name: "order" } }], "Done."]);
  const core = await bench.start({
    model,
    tools: [countedTool("order", { run: () => park.question("Really?") }).tool],
    features: [reading(new Telemetry({ db: async () => db, clock: systemClock() }))],
  });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  await core.feed.idle();
  expect(await rows(db, "state, success")).toEqual([["input-required", null]]);
  await core.tasks.answer(task.id, { answer: "yes" });
  await task.settled();
  await core.feed.idle();
  expect(await rows(db, "state, success")).toEqual([["completed", 1]]);
});

test("what a killed process had not written is read from the journal at the next start, once (R12)", async () => {
  const store = bench.newStore();
  const side = newFile();
  const first = await openStore(side);
  // Never written: the process is killed before.
  const blocked = new Telemetry({ db: () => new Promise(() => {}), clock: systemClock() });
  const core = await bench.start({
    store,
    model: scriptedModel(() => [usage, { say: "Done." }]),
    features: [reading(blocked)],
  });
  for (let i = 0; i < 20; i++) await (await core.tasks.start({ text: "go" })).settled();
  await bench.crash(core);
  await close(first);

  const db = await openStore(side);
  const again = () => [new Telemetry({ db: async () => db, clock: systemClock() })];
  const second = await bench.start({ store, model: scriptedModel(() => "Done."), features: [reading(...again())] });
  await (await second.tasks.start({ text: "go" })).settled();
  await second.feed.catchUp();
  expect(await rows(db, "count(*), sum(input)")).toEqual([[21, 20_000]]);
  await second.stop();

  const third = await bench.start({ store, model: scriptedModel(() => "Done."), features: [reading(...again())] });
  await third.feed.catchUp();
  expect(await rows(db, "count(*), sum(input)")).toEqual([[21, 20_000]]);
});

test("names that a caller or a model chose are written without the operator's secrets (S5)", async () => {
  const db = await openStore(newFile());
  const secret = "the-operators-own-secret";
  const redact = (text: string): string => text.replaceAll(secret, "***");
  const core = await bench.start({
    model: { model: scriptedModel([[{ call: { name: secret } }], "Done."]), name: `m-${secret}` },
    features: [reading(new Telemetry({ db: async () => db, clock: systemClock(), redact }))],
  });
  await (await core.tasks.start({ context: `c-${secret}`, text: "go" })).settled();
  await core.feed.idle();
  const written = await rows(db, "*");
  expect(written).toHaveLength(1);
  expect(JSON.stringify(written)).not.toContain(secret);
  expect(await rows(db, "context, model, tool_calls")).toEqual([["c-***", "m-***", 1]]);
});

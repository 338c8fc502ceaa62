import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import {
  coreBench,
  countedTool,
  holdCommit,
  hooked,
  planOf,
  STANDARD,
  type StandardCore,
  textInput,
} from "../../core-bench.ts";
import type { Statement } from "../../database/index.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

async function send(core: StandardCore, context: string, text: string): Promise<string> {
  const task = await core.service.start({ class: "operator", context, origin: "chat", input: textInput(text) });
  await task.settled();
  await core.service.runner.idle(1_000);
  return task.id;
}

const TABLES = [
  "task",
  "event",
  "message",
  "call",
  "prompt",
  "steering",
  "session",
  "session_turn",
  "session_fork",
  "timer",
];

/** Rows by table. */
async function rowsOf(core: StandardCore): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of [...TABLES, "session_deletion"]) {
    const [row] = await core.db.read({ sql: `SELECT count(*) FROM ${table}`, args: [] });
    if (Number(row?.[0]) > 0) counts[table] = Number(row?.[0]);
  }
  return counts;
}

test("deleting a session cancels its turns and leaves nothing of it, and nothing else is touched", async () => {
  const asks = countedTool("asks", { run: () => park.question("Where?") }).tool;
  const { tool } = countedTool("count");
  const model = scriptedModel((request) => {
    const last = request.messages.at(-1);
    const text = last?.role === "user" && last.content[0]?.kind === "text" ? last.content[0].text : "";
    if (text === "hang") return [{ hang: true }];
    return text === "ask" || text === "count" ? [{ call: { name: text === "ask" ? "asks" : "count" } }] : "Done.";
  });
  const forgotten: string[] = [];
  const core = await bench.start({
    model,
    tools: [asks, tool],
    features: [...STANDARD, hooked({ forgetSession: async (_, session) => void forgotten.push(session) })],
  });
  await send(core, "other", "count");
  await core.feed.idle();
  const before = await rowsOf(core);
  await send(core, "s", "count");
  const gone = await send(core, "s", "taken back");
  await core.features.sessions.edits.rewind("s", gone, { keep: false });
  const parked = (await core.tasks.get(await send(core, "s", "ask")))!;
  const running = await core.service.start({
    class: "operator",
    context: "s",
    origin: "chat",
    input: textInput("hang"),
  });
  const waiting = await core.service.start({
    class: "operator",
    context: "s",
    origin: "chat",
    input: textInput("later"),
  });
  await core.service.steer({ class: "operator", context: "s", origin: "chat", input: textInput("and") });
  const wait = { id: "w", kind: "wait", class: "operator", context: "s", due: 0, body: {} };
  await core.timers.set({ ...wait, due: Date.now() + 3_600_000 });
  const removed = core.features.sessions.removal.remove("s", { retire: true });
  await Promise.all([removed, core.features.sessions.removal.remove("s", { retire: true })]);
  expect([parked, running, waiting].map(({ view }) => view.state)).toEqual(["canceled", "canceled", "canceled"]);
  expect(await rowsOf(core)).toEqual(before);
  expect(forgotten).toEqual(["s"]);
  expect(await core.tasks.get(parked.id)).toBeUndefined();
  await expect(core.features.sessions.catalog.read("s")).rejects.toMatchObject({ code: "not_found" });
  await expect(core.features.sessions.removal.remove("s", { retire: true })).rejects.toMatchObject({
    code: "not_found",
  });
  await core.service.runner.idle(1_000);
  // A new message there begins a new session.
  await send(core, "s", "hello again");
  expect(model.calls.at(-1)?.request.messages).toHaveLength(1);
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ turns: 1, title: "hello again" });
});

test("what a turn that has ended left running is ended before its rows go, and no word of it stays (SD6)", async () => {
  const model = scriptedModel((request) =>
    JSON.stringify(request.messages).includes('"Check."') ? [{ hang: true }] : "Done.",
  );
  const core = await bench.start({ model, features: [...STANDARD, hooked({})] });
  const turn = await send(core, "s", "hello");
  const check = await core.service.start({
    ...{ class: "operator", context: `goal:${crypto.randomUUID()}`, origin: "auxiliary", input: textInput("Check.") },
    parent: { task: turn, call: "check" },
  });
  await expect.poll(() => check.view.state).toBe("running");
  await core.features.sessions.removal.remove("s", { retire: false });
  expect(check.view.state).toBe("canceled");
  await core.feed.idle();
  expect(await rowsOf(core)).toEqual({ session: 1 });
  await send(core, "s", "again");
  expect(await rowsOf(core)).toMatchObject({ task: 1 });
});

test("a session that is cleared stays, empty, with its title", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Done.") });
  await send(core, "s", "old words");
  await core.features.sessions.catalog.rename("s", "The plan");
  await core.features.sessions.removal.remove("s", { retire: false });
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ title: "The plan", turns: 0 });
  expect((await core.features.sessions.catalog.list(10, { search: "words" })).sessions).toEqual([]);
  await send(core, "s", "new words");
  await core.features.sessions.catalog.rename("s", null);
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ title: "new words", turns: 1 });
});

test("turns that a fork shows stay with the fork, whichever session is deleted first (SD3)", async () => {
  const { tool } = countedTool("count");
  const script = [[{ call: { name: "count" } }], "One.", "Two.", "Three.", "Four.", "Five."];
  const model = scriptedModel(script as Parameters<typeof scriptedModel>[0]);
  const core = await bench.start({ model, tools: [tool] });
  const first = await send(core, "s", "1");
  await send(core, "s", "2");
  const one = await core.features.sessions.edits.fork("s", { turn: first });
  const two = await core.features.sessions.edits.fork("s", { turn: first });
  await core.features.sessions.removal.remove("s", { retire: true });
  await send(core, one, "3");
  const roles = () => model.calls.at(-1)?.request.messages.map((message) => message.role);
  expect(roles()).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  await core.features.sessions.removal.remove(one, { retire: true });
  await send(core, two, "4");
  expect(roles()).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  expect((await core.features.sessions.catalog.turns(two, { limit: 10 })).turns.map(({ answer }) => answer)).toEqual([
    "Four.",
    "One.",
  ]);
  await core.features.sessions.edits.rewind(two, first);
  await send(core, two, "5");
  expect(roles()).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  await core.features.sessions.removal.remove(two, { retire: true });
  expect(await rowsOf(core)).toEqual({});
});

test("a conversation and its fork that are deleted at once leave no turn to each other (SD3)", async () => {
  const removing = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<void>();
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const holding = hooked({
    forgetSession: async () => void (++begun === 2 && both.resolve()),
    forgetTasks: async () => {
      removing.resolve();
      await removed.promise;
    },
  });
  const core = await bench.start({ model: scriptedModel(() => "Done."), features: [...STANDARD, holding] });
  const shown = await send(core, "s", "1");
  await send(core, "s", "2");
  const fork = await core.features.sessions.edits.fork("s", { turn: shown });
  const whole = core.features.sessions.removal.remove("s", { retire: true });
  await removing.promise;
  const other = core.features.sessions.removal.remove(fork, { retire: true });
  await both.promise;
  for (let read = 0; read < 20; read++) await rowsOf(core);
  removed.resolve();
  await Promise.all([whole, other]);
  expect(await rowsOf(core)).toEqual({});
});

test.each(["session.delete:after", "session.erase:before", "session.erase:after", "session.deleted:before"])(
  "a deletion that a kill cut off at %s is finished by the next start (SD1)",
  async (moment) => {
    const store = bench.newStore();
    const held = holdCommit(moment);
    const asks = countedTool("asks", { run: () => park.question("Where?") }).tool;
    const model = scriptedModel([[{ call: { name: "asks" } }]]);
    const core1 = await bench.start({ store, model, tools: [asks], failpoints: held.failpoints, onRestart: "resume" });
    await send(core1, "s", "ask");
    core1.features.sessions.removal.remove("s", { retire: true }).catch(() => {});
    await held.reached;
    await bench.crash(core1);
    const core = await bench.start({ store, model: scriptedModel(() => "Hi."), onRestart: "resume" });
    expect(core.load()).toEqual({ running: 0, waiting: 0 });
    await expect.poll(() => rowsOf(core)).toEqual({});
    await send(core, "s", "hello");
    expect(await core.features.sessions.catalog.read("s")).toMatchObject({ turns: 1 });
  },
);

test("a deletion that fails is tried again by itself, forgets as it was asked to, and lets nothing begin before (SD1, SD2, SD5)", async () => {
  const clock = manualClock();
  const core = await bench.start({ model: scriptedModel(() => "Done."), clock });
  const { removal } = core.features.sessions;
  const forgotten: string[] = [];
  let fails = true;
  removal.useForgetting(async (session) => {
    if (fails) throw new Error("the store cannot be opened");
    forgotten.push(session);
    return { chunks: 1, frames: 0, summaries: 0, sources: 0, attachments: 0 };
  });
  await send(core, "s", "hello");
  await expect(removal.remove("s", { retire: true, forget: true })).rejects.toMatchObject({ code: "unfinished" });
  // A later request takes nothing back of what was asked before.
  await expect(removal.remove("s", { retire: false })).rejects.toMatchObject({ code: "unfinished" });
  await expect(send(core, "s", "too early")).rejects.toMatchObject({ code: "overloaded" });
  fails = false;
  const rowsLater = async () => {
    await clock.advance(10_000);
    return rowsOf(core);
  };
  await expect.poll(rowsLater).toEqual({});
  expect(forgotten).toEqual(["s", "s"]);
  await send(core, "s", "afresh");
  expect(await removal.remove("s", { retire: true, forget: true })).toMatchObject({ chunks: 2 });
});

test("two that remove from a session take turns, so that nothing begins in it before both are done (SD2)", async () => {
  const held = holdCommit("session.erase:before");
  const core = await bench.start({ model: scriptedModel(() => "Done."), failpoints: held.failpoints });
  const input = { ...textInput("hush"), metadata: { incognito: true } };
  const task = await core.service.start({ class: "operator", context: "s", origin: "chat", input });
  await task.settled();
  await core.service.runner.idle(1_000);
  const removed = core.features.sessions.removal.remove("s", { retire: true });
  await held.reached;
  const ended = core.features.sessions.incognito.endIdle(Number.MAX_SAFE_INTEGER);
  const rounds = async (): Promise<void> => {
    for (let round = 0; round < 100; round++) await core.db.read({ sql: "SELECT 1", args: [] });
  };
  await Promise.race([ended, rounds()]);
  await expect(send(core, "s", "too early")).rejects.toMatchObject({ code: "overloaded" });
  held.release();
  await Promise.all([removed, ended]);
  expect(await rowsOf(core)).toEqual({});
  await send(core, "s", "afresh");
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ turns: 1 });
});

/** Where the store's plans go through a whole table, those aside that have a bound or hold few rows in every store. */
async function scansOf(core: StandardCore, statements: readonly Statement[]): Promise<string[]> {
  const scans = new Set<string>();
  for (const sql of new Set(statements.map((statement) => statement.sql))) {
    for (const step of await planOf(core, sql)) {
      const [, table] = /^SCAN (\w+)(?! VIRTUAL)\b/.exec(step) ?? [];
      if (table !== undefined) scans.add(`${table}: ${sql}`);
    }
  }
  const small = /^(?:below|page|fork|session_fork|background_job|incognito_turn|said|timer):/;
  return [...scans].filter((scan) => !small.test(scan));
}

// A store with 1,000 sessions took no commit for four seconds at a time while one of them was deleted, and a process
// cannot end while its store works on a statement.
test("nothing that removes sessions or turns scans a table that grows with the store", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Done.") });
  await send(core, "s", "one");
  await core.features.sessions.edits.fork("s");
  await send(core, "s", "two");
  const input = { ...textInput("hush"), metadata: { incognito: true } };
  await (await core.service.start({ class: "operator", context: "t", origin: "chat", input })).settled();
  await core.service.runner.idle(1_000);
  await core.feed.idle();
  const commit = vi.spyOn(core.db, "commit");
  const read = vi.spyOn(core.db, "read");
  await core.features.sessions.removal.remove("s", { retire: true });
  await core.features.sessions.incognito.endIdle(Number.MAX_SAFE_INTEGER);
  const asked = [
    ...read.mock.calls.map(([statement]) => statement),
    ...commit.mock.calls.flatMap(([command]) => [
      ...(command.expect === undefined ? [] : [command.expect]),
      ...command.statements,
    ]),
  ];
  vi.restoreAllMocks();
  expect(asked.length).toBeGreaterThan(20);
  expect(await rowsOf(core)).toMatchObject({ session: 1, task: 1 });
  expect(await scansOf(core, asked)).toEqual([]);
});

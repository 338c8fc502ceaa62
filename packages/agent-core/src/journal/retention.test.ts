import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import {
  answerText,
  callsOf,
  coreBench,
  countedTool,
  eventsOf,
  followed,
  planOf,
  type StandardCore,
  textInput,
} from "../core-bench.ts";
import { foldEvents } from "../event/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { DEFAULT_RETENTION, type Retention, removeExpired } from "./retention.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A sweep of the store some time later. */
function expire(core: StandardCore, later: number, keep: Partial<Retention> = {}) {
  const removeSession = (context: string) => core.features.sessions.removal.remove(context, { retire: true });
  return removeExpired({
    ...{ db: core.db, now: Date.now() + later, removeSession },
    keep: { ...DEFAULT_RETENTION, ...keep },
  });
}
const count = async (core: StandardCore, table: string): Promise<number> =>
  Number((await core.db.read({ sql: `SELECT count(*) FROM ${table}`, args: [] }))[0]?.[0]);
const kindsOf = async (core: StandardCore, id: string) => (await eventsOf(core, id)).map(({ event }) => event.kind);
/** The task as another process would read it, with nothing in memory. */
const readAgain = async (core: StandardCore, id: string) => {
  core.journal.drop(id);
  return (await core.tasks.get(id))!;
};

/** A task whose text was streamed to a reader. */
async function streamed() {
  const core = await bench.start({ model: scriptedModel(() => [{ say: "Hel" }, { say: "lo" }]) });
  const task = await core.tasks.start({ context: "c", text: "?" });
  const reader = followed(task);
  await reader.done;
  return { core, task, events: reader.events };
}

describe("pieces of text (R12, EN10)", () => {
  test("are removed 24 hours after the end; replay and view still show the task", async () => {
    const { core, task, events } = await streamed();
    await expire(core, DAY - HOUR);
    expect(await eventsOf(core, task.id)).toEqual(events);
    await expire(core, DAY + 1_000);
    const left = events.filter(({ event }) => event.kind !== "text.delta");
    expect(left.length).toBeLessThan(events.length);
    expect(await eventsOf(core, task.id)).toEqual(left);
    const again = (await core.tasks.get(task.id))!;
    expect(answerText(again)).toBe("Hello");
    expect(again.view).toMatchObject({ state: "completed", seq: events.length });
    const replayed = followed(again);
    await replayed.done;
    expect(replayed.events).toEqual(left);
    const late = followed(again, 2);
    await late.done;
    expect(late.events).toEqual(left.filter(({ seq }) => seq > 2));
    expect(await again.at(99)).toEqual(foldEvents(task.id, left));
  });

  test("of a turn that was stopped before it had an answer stay as one piece with its whole text", async () => {
    const answered = Promise.withResolvers<void>();
    const model = scriptedModel([
      [{ say: "Away." }, { call: { name: "t" } }],
      [{ say: "Half " }, { say: "an" }, { until: answered.promise }],
    ]);
    const core = await bench.start({ model, tools: [countedTool("t").tool] });
    const task = await core.tasks.start({ context: "c", text: "?" });
    const reader = followed(task);
    await model.untilCall(2);
    await expect.poll(() => task.view.text).toBe("Half an");
    await core.tasks.cancel(task.id);
    await task.settled();
    await reader.leave();
    for (const later of [DAY + 1_000, 31 * DAY, 32 * DAY]) {
      await expire(core, later, { keepPerThread: 1 });
      const { view } = await readAgain(core, task.id);
      expect([view.state, view.text]).toEqual(["canceled", "Half an"]);
      expect((await kindsOf(core, task.id)).filter((kind) => kind === "text.delta")).toHaveLength(1);
    }
    const { turns } = await core.features.sessions.catalog.turns("c", { limit: 5 });
    expect(turns.map(({ answer }) => answer)).toEqual(["Half an"]);
    answered.resolve();
  });
});

/** Six turns of a conversation, each with a call, and a fork-free store. */
async function conversation(turns: number, context = "c") {
  const model = scriptedModel((request) => {
    const last = request.messages.at(-1);
    return last?.role === "tool" ? `Read: ${last.text}` : [{ call: { name: "look", args: { secret: "blue" } } }];
  });
  const look = countedTool("look", { run: () => "a result", effect: "pure" }).tool;
  const core = await bench.start({ model, tools: [look] });
  const ids: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const task = await core.tasks.start({ context, text: `question ${turn}` });
    await task.settled();
    ids.push(task.id);
  }
  await core.feed.idle();
  return { core, model, ids };
}

describe("the detail of turns (R14)", () => {
  test("is deleted after max_age_days, but for the newest keep_per_thread turns of a conversation [R10-13.4-21]", async () => {
    const { core, ids } = await conversation(6);
    await expire(core, 30 * DAY - HOUR, { keepPerThread: 2 });
    for (const id of ids) expect(await kindsOf(core, id)).toContain("tool.finished");
    expect(await expire(core, 30 * DAY + 1_000, { keepPerThread: 2 })).toMatchObject({ turns: 4, conversations: 0 });
    for (const id of ids.slice(0, 4)) {
      expect(await kindsOf(core, id)).toEqual(["task.accepted", "detail.removed", "answer", "task.completed"]);
      expect(await callsOf(core, id)).toMatchObject([{ outcome: "ok", result: "a result" }]);
    }
    for (const id of ids.slice(4)) expect(await kindsOf(core, id)).toContain("tool.finished");
    const args = await core.db.read({ sql: "SELECT args FROM call ORDER BY task", args: [] });
    expect(args.map(([text]) => text)).toEqual([...["", "", "", ""], ...Array(2).fill('{"secret":"blue"}')]);
    expect(await expire(core, 400 * DAY, { keepPerThread: 2 })).toMatchObject({ turns: 0, conversations: 0 });
  });

  test("is counted conversation by conversation, though they come of age together", async () => {
    const { core, ids } = await conversation(1, "quiet");
    for (let turn = 0; turn < 3; turn++) {
      const task = await core.tasks.start({ context: "busy", text: `question ${turn}` });
      await task.settled();
      ids.push(task.id);
    }
    await core.feed.idle();
    const limits = { keepPerThread: 2, maxAgeDays: 10 } as const;
    expect(await expire(core, 10 * DAY - HOUR, limits)).toMatchObject({ turns: 0 });
    expect(await expire(core, 11 * DAY, limits)).toMatchObject({ turns: 1 });
    const kept = await Promise.all(ids.map(async (id) => (await kindsOf(core, id)).includes("tool.finished")));
    expect(kept).toEqual([true, false, true, true]);
  });

  test("of an old turn is removed once newer turns of its conversation exceed the number kept", async () => {
    const { core, ids } = await conversation(2);
    await expire(core, 31 * DAY, { keepPerThread: 2 });
    expect(await count(core, "kept_detail")).toBe(2);
    // What ends after that sweep is new to the next one.
    await core.db.commit({
      label: "test",
      statements: [{ sql: "UPDATE retention_cursor SET at = 0, task = '' WHERE round = 'newcomers'", args: [] }],
    });
    const elsewhere = await core.tasks.start({ context: "other", text: "hi" });
    const here = await core.tasks.start({ context: "c", text: "hi" });
    await Promise.all([elsewhere.settled(), here.settled()]);
    expect(await expire(core, HOUR, { keepPerThread: 2 })).toMatchObject({ turns: 1 });
    expect(await kindsOf(core, ids[0]!)).not.toContain("tool.finished");
    expect(await kindsOf(core, ids[1]!)).toContain("tool.finished");
    expect(await expire(core, 2 * HOUR, { keepPerThread: 1 })).toMatchObject({ turns: 1 });
    expect([await kindsOf(core, ids[1]!), await count(core, "kept_detail")]).toEqual([
      ["task.accepted", "detail.removed", "answer", "task.completed"],
      0,
    ]);
  });

  test("is not what the model is shown: the next request is the same with it and without", async () => {
    const { core, model } = await conversation(4);
    const shown = async () => {
      const task = await core.tasks.start({ context: "c", text: "and now?" });
      await task.settled();
      await core.features.sessions.edits.rewind(
        "c",
        (await core.features.sessions.catalog.turns("c", { limit: 2 })).turns[1]!.task,
      );
      return model.calls.at(-2)?.request.messages;
    };
    const before = await shown();
    await expire(core, 31 * DAY, { keepPerThread: 1 });
    expect(await shown()).toEqual(before);
    expect(before).toHaveLength(4 * 4 + 1);
  });

  test("is not what surfaces read of a conversation: task, replay, export, search, rewind and fork still work", async () => {
    const { core, model, ids } = await conversation(3);
    const [first, second] = ids as [string, string, string];
    const before = await readAgain(core, first);
    await expire(core, 31 * DAY, { keepPerThread: 1 });
    const after = await readAgain(core, first);
    // Of the view only the last model call's finish reason was removed.
    expect(after.view).toEqual({ ...before.view, finish: undefined });
    expect(after.view).toMatchObject({
      steps: 2,
      toolCalls: [{ name: "look" }],
      models: [{ model: "scripted", calls: 2 }],
    });
    const replay = followed(after, 1);
    await replay.done;
    expect(replay.events.map(({ event }) => event.kind)).toEqual(["detail.removed", "answer", "task.completed"]);
    const { turns } = await core.features.sessions.catalog.turns("c", { limit: 5, first: "oldest" });
    const { messages, answer, model: by, usage, toolCalls } = turns[0]!;
    expect([messages[0]?.text, answer, by, usage]).toEqual([
      "question 0",
      "Read: a result",
      "scripted",
      before.view.usage,
    ]);
    expect([toolCalls, turns[2]?.toolCalls.length]).toEqual([[], 1]);
    const { sessions } = await core.features.sessions.catalog.list(5, { search: "question 0" });
    expect(sessions.map(({ id }) => id)).toEqual(["c"]);
    const fork = await core.features.sessions.edits.fork("c", { turn: second });
    await (await core.tasks.start({ context: fork, text: "in the fork" })).settled();
    expect(model.calls.at(-2)?.request.messages).toHaveLength(2 * 4 + 1);
    expect((await core.features.sessions.catalog.turns(fork, { limit: 5 })).turns).toHaveLength(3);
    expect(await core.features.sessions.edits.rewind("c", first)).toBe(2);
    await (await core.tasks.start({ context: "c", text: "again" })).settled();
    expect(model.calls.at(-2)?.request.messages).toHaveLength(4 + 1);
  });

  test("of a turn whose rows cannot be read stays, and holds up no other", async () => {
    const { core, ids } = await conversation(3);
    const damage = { sql: "UPDATE event SET body = '{' WHERE task = ? AND seq = 2", args: [ids[0]!] };
    await core.db.commit({ label: "test", statements: [damage] });
    await expire(core, 31 * DAY, { keepPerThread: 1 });
    const sql = "SELECT task, count(*) > 4 FROM event GROUP BY task ORDER BY task";
    expect((await core.db.read({ sql, args: [] })).map(([, whole]) => whole)).toEqual([1, 0, 1]);
  });

  test("takes the delegated tasks of a turn along, whole, and leaves others", async () => {
    const { core, ids } = await conversation(2);
    const [old, kept] = ids as [string, string];
    const child = async (parent: string, context: string) => {
      const of = { class: "operator", origin: "subagent", input: textInput("help"), context } as const;
      const task = await core.service.start({ ...of, parent: { task: parent, call: `${parent}-call` } });
      await task.settled();
      return task.id;
    };
    const gone = [await child(old, "subagent:a")];
    gone.push(await child(gone[0]!, "subagent:b"));
    const stays = [await child(kept, "subagent:c"), await child(old, "a conversation of people")];
    await core.feed.idle();
    const swept = await expire(core, 31 * DAY, { keepPerThread: 1 });
    expect(swept.tasks.toSorted()).toEqual(gone.toSorted());
    for (const id of gone) expect(await readAgain(core, id)).toBeUndefined();
    for (const id of stays) expect((await readAgain(core, id)).view.state).toBe("completed");
    for (const table of ["task", "event", "call"]) {
      const column = table === "task" ? "id" : "task";
      const sql = `SELECT count(*) FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`;
      expect(await core.db.read({ sql, args: [JSON.stringify(gone)] })).toEqual([[0]]);
    }
    const left = await core.db.read({ sql: "SELECT id FROM session WHERE id GLOB 'subagent:*'", args: [] });
    expect(left).toEqual([["subagent:c"]]);
  });

  test("stays of a task that waits for a person, which continues with it however late", async () => {
    const asks = countedTool("asks", { run: () => park.question("?") });
    const model = scriptedModel([[{ call: { name: "asks" } }], "Thanks."]);
    const core = await bench.start({ model, tools: [asks.tool] });
    const task = await core.tasks.start({ context: "c", text: "?" });
    await task.settled();
    const before = await eventsOf(core, task.id);
    await expire(core, 400 * DAY, { conversationMaxAgeDays: 1, harvest: false });
    expect(await eventsOf(core, task.id)).toEqual(before);
    await core.tasks.answer(task.id, { answer: "Rome" });
    await task.settled();
    expect(answerText(task)).toBe("Thanks.");
    expect(model.calls[1]?.request.messages.map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
  });
});

describe("conversations (R14)", () => {
  test("stay however old they are, unless their age is limited", async () => {
    const { core, ids } = await conversation(2);
    expect(await expire(core, 4_000 * DAY)).toMatchObject({ conversations: 0, waiting: false });
    expect(answerText(await readAgain(core, ids[0]!))).toBe("Read: a result");
    expect(await count(core, "message")).toBeGreaterThan(0);
  });

  test("older than conversation_max_age_days are removed whole, a peer's too, and one with a newer message stays", async () => {
    const { core, ids } = await conversation(3);
    const peer = await core.service.start({ class: "federation", origin: "a2a", context: "p", input: textInput("hi") });
    await peer.settled();
    await core.feed.idle();
    const limits = { conversationMaxAgeDays: 90, harvest: false };
    expect(await expire(core, 90 * DAY - HOUR, limits)).toMatchObject({ conversations: 0 });
    expect(await expire(core, 90 * DAY + 1_000, limits)).toMatchObject({ conversations: 2 });
    for (const id of [...ids, peer.id]) expect(await readAgain(core, id)).toBeUndefined();
    for (const table of ["task", "event", "message", "call", "session", "session_turn", "kept_detail"])
      expect([table, await count(core, table)]).toEqual([table, 0]);
    const { turns } = await conversation(1).then(async ({ core: other }) => {
      const at = { sql: "UPDATE task SET updated_at = updated_at - ?", args: [200 * DAY] };
      await other.db.commit({ label: "test", statements: [at] });
      await (await other.tasks.start({ context: "c", text: "still here" })).settled();
      await other.feed.idle();
      expect(await expire(other, DAY, limits)).toMatchObject({ conversations: 0 });
      return other.features.sessions.catalog.turns("c", { limit: 5 });
    });
    expect(turns).toHaveLength(2);
  });

  test("stay past their age while harvest_enabled asks for a harvest that nothing can do, and are deleted once it does not", async () => {
    const { core } = await conversation(1);
    const limits = { conversationMaxAgeDays: 90 };
    expect(await expire(core, 91 * DAY, limits)).toMatchObject({ conversations: 0, waiting: true });
    expect(await count(core, "task")).toBe(1);
    expect(await expire(core, 92 * DAY, { ...limits, harvest: false })).toMatchObject({ conversations: 1 });
    expect(await count(core, "task")).toBe(0);
  });
});

describe("a sweep", () => {
  test("reads no task when none is due: every round begins where the one before ended (EN10)", async () => {
    const { core } = await conversation(4);
    const limits = { keepPerThread: 1, conversationMaxAgeDays: 20, harvest: false } as const;
    await (await core.tasks.start({ context: "young", text: "?" })).settled();
    await expire(core, 10 * DAY, limits);
    const read = vi.spyOn(core.db, "read");
    const commit = vi.spyOn(core.db, "commit");
    await expire(core, 10 * DAY + HOUR, limits);
    const asked = read.mock.calls.map(([statement], at) => ({ statement, at }));
    const answers = await Promise.all(read.mock.results.map(({ value }) => value));
    const walks = asked.filter(({ statement }) => statement.sql.includes("FROM task"));
    expect(walks.length).toBeGreaterThan(0);
    for (const { at } of walks) expect(answers[at]).toEqual([]);
    expect(commit.mock.calls.flatMap(([{ statements }]) => statements.map(({ sql }) => sql)).toSorted()).toEqual([
      expect.stringContaining("DELETE FROM idempotency"),
      expect.stringContaining("DELETE FROM kept_answer"),
      expect.stringContaining("INSERT INTO retention_cursor"),
      expect.stringContaining("INSERT INTO retention_cursor"),
    ]);
    read.mockRestore();
    commit.mockRestore();
    for (const { statement } of walks) {
      const steps = (await planOf(core, statement.sql)).filter((step) => /\btask\b|\btask_/.test(step));
      expect(steps).toEqual([expect.stringMatching(/^SEARCH task USING (?:COVERING )?INDEX task_ended \(/)]);
    }
  });

  test("looks for what it removes by indexes alone", async () => {
    const { core } = await conversation(8);
    await (await core.tasks.start({ context: "stopped", text: "?" })).settled();
    const seen = new Set<string>();
    const read = vi.spyOn(core.db, "read");
    const commit = vi.spyOn(core.db, "commit");
    for (const keepPerThread of [3, 2]) await expire(core, 31 * DAY, { keepPerThread });
    await expire(core, 500 * DAY, { conversationMaxAgeDays: 400, harvest: false });
    for (const [{ sql }] of read.mock.calls) seen.add(sql);
    for (const [{ statements }] of commit.mock.calls) for (const { sql } of statements) seen.add(sql);
    read.mockRestore();
    commit.mockRestore();
    const scans: string[] = [];
    for (const sql of seen) {
      const steps = await planOf(core, sql);
      scans.push(
        ...steps.filter((step) =>
          /^SCAN (?:event|task|message|call|prompt|session_turn|idempotency|kept_answer)\b/.test(step),
        ),
      );
    }
    expect(scans).toEqual([]);
  });

  test("takes idempotency keys after 24 hours", async () => {
    const core = await bench.start({ model: scriptedModel(() => "Done.") });
    const task = await core.service.start({
      class: "operator",
      origin: "a2a",
      input: textInput("go"),
      key: { key: "k", digest: "d" },
    });
    await task.settled();
    await expire(core, DAY - HOUR);
    expect(await count(core, "idempotency")).toBe(1);
    await expire(core, DAY + 1_000);
    expect(await count(core, "idempotency")).toBe(0);
  });

  test("handles more tasks than one commit holds", async () => {
    const core = await bench.start({ model: scriptedModel(() => "Done.") });
    const tasks = await Promise.all(Array.from({ length: 230 }, () => core.tasks.start({ text: "?" })));
    await Promise.all(tasks.map((task) => task.settled()));
    await core.feed.idle();
    const limits = { conversationMaxAgeDays: 90, harvest: false };
    expect(await expire(core, 100 * DAY, limits)).toMatchObject({ conversations: 230 });
    expect([await count(core, "task"), await count(core, "event"), await count(core, "message")]).toEqual([0, 0, 0]);
  });

  test("runs each prune_interval_hours, over restarts too, as the setting is then, and logs what it removed", async () => {
    const clock = manualClock();
    const store = bench.newStore();
    const lines: string[] = [];
    const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };
    const settings = { pruneIntervalHours: 6, conversationMaxAgeDays: 1, harvest: true };
    const start = () =>
      bench.start({ store, clock, log, model: scriptedModel(() => "Done."), retention: () => settings });
    let core = await start();
    const sweeps = () => core.db.read({ sql: "SELECT at FROM retention_cursor WHERE round = 'sweep'", args: [] });
    const sweptAt = async () => Number((await sweeps())[0]?.[0] ?? 0);
    const advanceTo = (at: number) => clock.advance(at - clock.now());
    const MINUTE = 60_000;
    const begun = clock.now();
    await (await core.tasks.start({ context: "c", text: "?" })).settled();
    await advanceTo(begun + MINUTE);
    await expect.poll(sweptAt).toBeGreaterThan(begun);
    const first = await sweptAt();
    await core.stop();
    core = await start();
    await advanceTo(first + 6 * HOUR - MINUTE);
    expect(await sweptAt()).toBe(first);
    await advanceTo(first + 6 * HOUR + MINUTE);
    await expect.poll(sweptAt).toBeGreaterThanOrEqual(first + 6 * HOUR);
    const second = await sweptAt();
    settings.pruneIntervalHours = 30;
    await advanceTo(second + 30 * HOUR - MINUTE);
    expect(await sweptAt()).toBe(second);
    await advanceTo(second + 30 * HOUR + MINUTE);
    await expect.poll(sweptAt).toBeGreaterThanOrEqual(second + 30 * HOUR);
    expect(lines.filter((line) => line.startsWith("retention"))).toEqual([
      expect.stringMatching(/^retention: conversations older than 1 days stay, .*checkpoint\.harvest_enabled: false/),
    ]);
    settings.harvest = false;
    await advanceTo(second + 61 * HOUR);
    await expect.poll(() => lines.at(-1)).toBe("retention: removed 1 conversation without a message for 1 days");
    expect(await count(core, "task")).toBe(0);
  });
});

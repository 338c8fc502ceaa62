import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, countedTool, type StandardCore, textInput } from "../core-bench.ts";
import { DEFAULT_RETENTION, removeExpired } from "../journal/index.ts";
import { createRedactor } from "../redaction/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { searchQuery } from "./search-query.ts";
import { openingOf } from "./session-row.ts";
import { MOST_PINNED, type Sessions } from "./sessions.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

async function send(core: StandardCore, context: string, text: string, of = "operator") {
  const task = await core.service.start({ class: of, context, origin: "chat", input: textInput(text) });
  await task.settled();
  return task;
}

const ids = async (core: StandardCore, search?: string) =>
  (await core.features.sessions.catalog.list(50, search === undefined ? {} : { search })).sessions.map(({ id }) => id);

test("a session is a context of the operator class, and its record holds its state (SX1, A16)", async () => {
  const clock = manualClock();
  const core = await bench.start({ model: scriptedModel(() => "Done."), clock });
  await send(core, "s1", "Plan the garden party, please");
  await clock.advance(1_000);
  await send(core, "s2", "hello");
  await send(core, "s1", "And invite Ada", "federation");
  await clock.advance(1_000);
  await send(core, "s1", "And invite Ada");
  expect(await ids(core)).toEqual(["s1", "s2"]);
  const record = await core.features.sessions.catalog.read("s1");
  expect(record).toMatchObject({ title: "Plan the garden party, please", titled: false, turns: 2, state: "completed" });
  expect([record.active, record.origin, record.updatedAt - record.createdAt]).toEqual([false, "chat", 2_000]);
  await expect(core.features.sessions.catalog.read("s3")).rejects.toMatchObject({ code: "not_found", session: "s3" });
  await expect(core.features.sessions.catalog.rename("s3", "x")).rejects.toMatchObject({ code: "not_found" });
});

test("it is active while a turn runs in it, and not while it waits for a person", async () => {
  const gate = Promise.withResolvers<void>();
  const asks = countedTool("asks", { run: () => gate.promise.then(() => park.question("Where?")) }).tool;
  const core = await bench.start({ model: scriptedModel([[{ call: { name: "asks" } }]]), tools: [asks] });
  const task = await core.service.start({ class: "operator", context: "s", origin: "chat", input: textInput("go") });
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ active: true, state: "running", turns: 1 });
  gate.resolve();
  await task.settled();
  await core.service.runner.idle(1_000);
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ active: false, state: "parked", turns: 1 });
});

test("pages of the list follow each other without gap or repeat", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Done.") });
  const names = Array.from({ length: 7 }, (_, i) => `s${i}`);
  for (const name of names) await send(core, name, "hello");
  const seen: string[] = [];
  let after: Parameters<Sessions["list"]>[1] = {};
  for (;;) {
    const { sessions, next } = await core.features.sessions.catalog.list(3, after);
    seen.push(...sessions.map(({ id }) => id));
    if (next === undefined) break;
    after = { after: next };
  }
  expect(seen).toEqual(names.toReversed());
});

test("search finds words of titles, messages and answers", async () => {
  const asks = countedTool("asks", { run: () => park.question("Which city?") }).tool;
  const model = scriptedModel([[{ call: { name: "asks" } }], "Thanks.", "Zeppelins fly.", "Yes."]);
  const core = await bench.start({ model, tools: [asks] });
  const parked = await send(core, "s1", "Book a table");
  await core.service.answer(parked.id, { class: "operator", input: textInput("in Reykjavík") });
  await parked.settled();
  await send(core, "s2", 'Tell me of "airships" (briefly)');
  await send(core, "s3", "Is the table booked?");
  expect(await ids(core, "table")).toEqual(["s3", "s1"]);
  expect(await ids(core, "TABLES booking")).toEqual(["s3", "s1"]);
  expect(await ids(core, "reykjavik")).toEqual(["s1"]);
  expect(await ids(core, 'airship" OR table*')).toEqual([]);
  expect([await ids(core, "zeppelins"), await ids(core, "the AND NOT"), await ids(core, " \"*' ")]).toEqual([
    [],
    [],
    [],
  ]);
  expect(await core.features.sessions.catalog.rename("s2", "Zeppelin history")).toMatchObject({
    title: "Zeppelin history",
    titled: true,
  });
  expect(await ids(core, "zeppelins")).toEqual(["s2"]);
  await core.features.sessions.catalog.rename("s2", "Balloons");
  expect([await ids(core, "zeppelins"), await ids(core, "balloon")]).toEqual([[], ["s2"]]);
  expect(await core.features.sessions.catalog.rename("s2", null)).toMatchObject({ titled: false });
  expect([await ids(core, "balloon"), await ids(core, "briefly")]).toEqual([[], ["s2"]]);
});

test("what a killed process had not written is read from the journal, each turn once (SX3)", async () => {
  const store = bench.newStore();
  const first = await bench.start({ store, model: scriptedModel(() => "Done.") });
  await send(first, "s1", "written before the end");
  await first.feed.idle();
  await send(first, "s1", "left unwritten");
  await bench.crash(first);
  const second = await bench.start({ store, model: scriptedModel([]) });
  await second.feed.catchUp();
  await second.feed.catchUp();
  expect(await second.features.sessions.catalog.read("s1")).toMatchObject({ turns: 2, state: "completed" });
  expect(await ids(second, "unwritten")).toEqual(["s1"]);
});

test("a turn whose task was deleted is not written any more (SX2)", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Done."), clock: manualClock() });
  const { id } = await send(core, "s1", "to be deleted");
  await core.db.commit({ label: "test", statements: [{ sql: "DELETE FROM task WHERE id = ?", args: [id] }] });
  expect(await ids(core)).toEqual([]);
});

test("a conversation is found by what is shown of it, and by no word of a secret, once its events are gone too (S5)", async () => {
  const redactor = createRedactor({ secrets: () => ["correct-horse-battery"] });
  const core = await bench.start({ model: scriptedModel(() => "Done."), redactor });
  await send(core, "s", "My password for the gardens is correct-horse-battery");
  await send(core, "other", "A battery for the garden");
  const found = (search: string) => ids(core, search).then((all) => all.toSorted());
  const looked = async () => [
    ...[await found("horse"), await found("garden battery"), await found("correct")],
    ...[await found("Pässword"), await found("gardens")],
  ];
  expect(await looked()).toEqual([[], ["other"], [], ["s"], ["other", "s"]]);
  await core.features.sessions.catalog.rename("s", "About correct-horse-battery and stables");
  expect([await found("horse"), await found("stables")]).toEqual([[], ["s"]]);
  await send(core, "s", "Thanks");
  const keep = { ...DEFAULT_RETENTION, keepPerThread: 1 };
  const removeSession = () => Promise.reject(new Error("no session has expired"));
  await removeExpired({ db: core.db, now: Date.now() + 31 * 86_400_000, keep, removeSession });
  expect(await looked()).toEqual([[], ["other"], [], ["s"], ["other", "s"]]);
});

test("a turn that is removed leaves the count and the search", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Done.") });
  await send(core, "s1", "one apple");
  const { id } = await send(core, "s1", "one pear");
  expect(await core.features.sessions.catalog.read("s1")).toMatchObject({ turns: 2 });
  const remove = { sql: "DELETE FROM session_turn WHERE task = ?", args: [id] };
  await core.db.commit({ label: "test", statements: [remove] });
  expect(await core.features.sessions.catalog.read("s1")).toMatchObject({ turns: 1 });
  expect([await ids(core, "pear"), await ids(core, "apple")]).toEqual([[], ["s1"]]);
});

test("an opening is one line, cut at a word", () => {
  expect(openingOf("  Two\n\n lines ")).toBe("Two lines");
  expect(openingOf(`${"word ".repeat(30)}`)).toBe(`${"word ".repeat(16).trim()}…`);
  expect(openingOf("x".repeat(100))).toBe(`${"x".repeat(80)}…`);
  expect(openingOf("")).toBe("");
});

test("a search uses the words of its text and ignores operators", () => {
  expect(searchQuery("a-b c*")).toBe('"a" AND "b" AND "c"');
  expect(searchQuery('"; DROP')).toBe('"DROP"');
  expect(searchQuery("—")).toBeUndefined();
});

test("pinned sessions are listed apart, the last first, until there are too many; a model's title gives way to a person's", async () => {
  const clock = manualClock();
  const core = await bench.start({ model: scriptedModel(() => "Yes."), clock });
  const { catalog } = core.features.sessions;
  for (const [index, id] of ["a", "b", "c"].entries()) {
    await clock.advance(index + 1);
    const task = await core.service.start({
      class: "operator",
      context: id,
      origin: "chat",
      input: textInput(`words of ${id}`),
    });
    await task.settled();
  }
  const ids = async (pinned?: boolean) =>
    (await catalog.list(10, pinned === undefined ? {} : { pinned })).sessions.map(({ id }) => id);
  await catalog.pin("a", true);
  await clock.advance(1);
  await catalog.pin("b", true);
  await catalog.pin("a", true);
  expect([await ids(true), await ids(false), await ids()]).toEqual([["b", "a"], ["c"], ["c", "b", "a"]]);
  expect(await catalog.pin("b", false)).toMatchObject({ pinned: false });
  expect(await ids(true)).toEqual(["a"]);
  await expect(catalog.pin("missing", true)).rejects.toMatchObject({ code: "not_found" });
  const many = Array.from(
    { length: MOST_PINNED },
    (_, no) =>
      `INSERT INTO session (id, opening, origin, state, created_at, updated_at, pinned_at) VALUES ('p${no}', '', 'chat', 'completed', 0, 0, 0)`,
  );
  await core.db.commit({ label: "many", statements: many.slice(1).map((sql) => ({ sql, args: [] })) });
  await expect(catalog.pin("b", true)).rejects.toMatchObject({ code: "too_many_pinned" });
});

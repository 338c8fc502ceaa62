import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, type StandardCore, textInput } from "../core-bench.ts";
import { DEFAULT_RETENTION, removeExpired } from "../journal/index.ts";
import { manualClock, scriptedModel } from "../testing/index.ts";
import { sessionMarkdown } from "./session-markdown.ts";
import { MOST_VERSIONS } from "./session-versions.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

/** Answers with what it was shown. */
const echo = () =>
  scriptedModel(({ messages }) =>
    messages
      .map((message) =>
        message.role === "user"
          ? message.content.map((part) => (part.kind === "text" ? part.text : part.kind)).join("+")
          : `(${message.text.length})`,
      )
      .join(" "),
  );

async function send(core: StandardCore, context: string, text: string, metadata?: object): Promise<string> {
  const input = textInput(text, metadata as { readonly [key: string]: unknown });
  const task = await core.service.start({ class: "operator", context, origin: "chat", input });
  await task.settled();
  await core.service.runner.idle(1_000);
  return task.id;
}

/** Another version of a turn, when it has ended. */
async function add(core: StandardCore, id: string, turn: string, how = {}) {
  const task = await core.features.sessions.versions.add(id, turn, how);
  await task.settled();
  await core.service.runner.idle(1_000);
  return { task: task.id, session: task.view.context };
}

/** The turns of a session, oldest first: question, answer, which version of how many. */
async function read(core: StandardCore, id: string): Promise<string[]> {
  const { turns } = await core.features.sessions.catalog.turns(id, { limit: 50, first: "oldest" });
  return turns.map(({ task, messages, answer, versions = [{ task, session: id }] }) => {
    const place = versions.findIndex((version) => version.task === task) + 1;
    return `${messages[0]?.text} → ${answer} ${place}/${versions.length}`;
  });
}

const versionsOf = async (core: StandardCore, id: string, at: number) =>
  (await core.features.sessions.catalog.turns(id, { limit: 50, first: "oldest" })).turns[at]?.versions ?? [];

test("asking again leaves the former answer, and each version lists all of them (SV1)", async () => {
  const core = await bench.start({ model: echo() });
  const one = await send(core, "s", "one");
  const two = await send(core, "s", "two");
  await send(core, "s", "three");
  const again = await add(core, "s", two);
  const edited = await add(core, again.session, again.task, { text: "zwei" });
  expect(await read(core, "s")).toEqual([
    "one → one 1/1",
    "two → one (3) two 1/3",
    "three → one (3) two (11) three 1/1",
  ]);
  expect(await read(core, again.session)).toEqual(["one → one 1/1", "two → one (3) two 2/3"]);
  expect(await read(core, edited.session)).toEqual(["one → one 1/1", "zwei → one (3) zwei 3/3"]);
  expect(await versionsOf(core, edited.session, 1)).toEqual([{ task: two, session: "s" }, again, edited]);
  await send(core, edited.session, "drei");
  const first = await add(core, edited.session, one, { text: "eins" });
  expect(await read(core, first.session)).toEqual(["eins → eins 2/2"]);
  // Of several sessions with a turn the one that went on longest is shown.
  expect(await versionsOf(core, first.session, 0)).toEqual([{ task: one, session: edited.session }, first]);
});

test("versions are not listed beside their conversation, which is as they are (SV2)", async () => {
  const core = await bench.start({ model: echo() });
  const other = await send(core, "other", "else");
  const one = await send(core, "s", "gardens");
  const { catalog, edits } = core.features.sessions;
  const version = await add(core, "s", one, { text: "orchards" });
  await send(core, "other", "later");
  await send(core, version.session, "pears");
  const { sessions } = await catalog.list(10);
  expect(sessions.map(({ id, active, state }) => [id, active, state])).toEqual([
    ["s", false, "completed"],
    ["other", false, "completed"],
  ]);
  for (const search of ["orchard", "pear", "garden"]) {
    expect((await catalog.list(10, { search })).sessions.map(({ id }) => id)).toEqual(["s"]);
  }
  expect(await catalog.read("s")).toMatchObject({ latestVersion: version.session });
  expect(await catalog.read(version.session)).toMatchObject({ versionOf: "s", latestVersion: version.session });
  expect(sessions.map(({ latestVersion }) => latestVersion)).toEqual([version.session, undefined]);
  const fork = await edits.fork(version.session);
  expect(await catalog.read(fork)).toMatchObject({ forkedFrom: { session: "s", title: "gardens" } });
  expect((await catalog.list(10)).sessions.map(({ id }) => id)).toEqual([fork, "s", "other"]);
  expect((await catalog.read("s")).forkedFrom).toBeUndefined();
  expect(await read(core, "other")).toHaveLength(2);
  expect(other).not.toBe(one);
});

test("a conversation with a version at work is at work", async () => {
  const hold = Promise.withResolvers<void>();
  const model = scriptedModel([[{ say: "Done." }], [{ until: hold.promise }, { say: "Again." }]]);
  const core = await bench.start({ model });
  const one = await send(core, "s", "one");
  const task = await core.features.sessions.versions.add("s", one);
  await model.untilCall(2);
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ active: true, state: "running" });
  await expect(core.features.sessions.versions.add(task.view.context, task.id)).rejects.toMatchObject({
    code: "context_busy",
  });
  hold.resolve();
  await task.settled();
});

test("files of the message stay when its text is changed, and the model can be another", async () => {
  const models: (string | undefined)[] = [];
  const model = echo();
  const core = await bench.start({
    model: (value) => {
      models.push(value);
      return { model, name: value ?? "lead" };
    },
  });
  const image = { kind: "file", name: "a.png", mediaType: "image/png", bytes: "iVBORw0KGgo=" } as const;
  const input = { messageId: "m", parts: [{ kind: "text", text: "what is it?" }, image] } as const;
  const task = await core.service.start({ class: "operator", context: "s", origin: "chat", input });
  await task.settled();
  const version = await add(core, "s", task.id, { text: "what colour?", model: "other:model" });
  const { turns } = await core.features.sessions.catalog.turns(version.session, { limit: 1 });
  expect(turns[0]?.messages[0]).toMatchObject({ text: "what colour?", files: [{ name: "a.png" }] });
  expect(models.at(-1)).toBe("other:model");
});

test("a request that comes again finds its version", async () => {
  const core = await bench.start({ model: echo() });
  const one = await send(core, "s", "one");
  const key = { key: "again", digest: "d" };
  const { versions } = core.features.sessions;
  const tasks = [await versions.add("s", one, {}, key), await versions.add("s", one, {}, key)];
  expect(tasks[1]?.id).toBe(tasks[0]?.id);
  expect(await versionsOf(core, "s", 0)).toHaveLength(2);
});

test("what cannot have versions says so", async () => {
  const core = await bench.start({ model: echo() });
  const { versions, edits } = core.features.sessions;
  const one = await send(core, "s", "one");
  const hidden = await send(core, "secret", "psst", { incognito: true });
  const compaction = await edits.compact("s");
  await compaction.settled();
  await core.service.runner.idle(1_000);
  await expect(versions.add("nowhere", one)).rejects.toMatchObject({ code: "not_found" });
  await expect(versions.add("s", "no-turn")).rejects.toMatchObject({ code: "not_found" });
  await expect(versions.add("s", compaction.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(versions.add("secret", hidden)).rejects.toMatchObject({ code: "incognito" });
  for (let count = 0; count < MOST_VERSIONS; count++) await versions.add("s", one);
  await expect(versions.add("s", one)).rejects.toMatchObject({ code: "too_many_versions" });
});

test("there are never more than may be, however many are asked for at once (SV3)", async () => {
  const core = await bench.start({ model: echo() });
  const { versions } = core.features.sessions;
  const one = await send(core, "s", "one");
  for (let count = 0; count < MOST_VERSIONS - 3; count++) await versions.add("s", one);
  const asked = await Promise.allSettled(Array.from({ length: 9 }, () => versions.add("s", one)));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(asked.at(-1)).toMatchObject({ reason: { code: "too_many_versions" } });
  expect(await versionsOf(core, "s", 0)).toHaveLength(MOST_VERSIONS + 1);
});

/** How many rows there are of conversations. */
async function rowsOf(core: StandardCore): Promise<number> {
  const tables = ["task", "event", "message", "session", "session_turn", "session_fork"];
  const counts = tables.map((table) => `SELECT count(*) AS n FROM ${table}`).join(" UNION ALL ");
  const [row] = await core.db.read({ sql: `SELECT sum(n) FROM (${counts})`, args: [] });
  return Number(row?.[0]);
}

test.each(["before", "after"])("none stays that was begun just %s its conversation is deleted (SV4)", async (when) => {
  // Wherever the one is when the other comes.
  for (const turns of [0, 1, 2, 3, 5, 8, 13]) {
    const core = await bench.start({ model: echo() });
    const { versions, removal, catalog } = core.features.sessions;
    const one = await send(core, "s", "one");
    const add = () => versions.add("s", one, { text: "uno" }).catch(({ code }: { code: string }) => code);
    const remove = () => removal.remove("s", { retire: true });
    const first = when === "before" ? add() : remove();
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    const second = when === "before" ? remove() : add();
    for (const done of await Promise.all([first, second]))
      if (typeof done === "string") expect(["overloaded", "not_found"]).toContain(done);
    await core.service.runner.idle(1_000);
    await core.feed.idle();
    expect([turns, (await catalog.list(10)).sessions, await rowsOf(core)]).toEqual([turns, [], 0]);
  }
});

test("a version has the title and the place in the list of its conversation (SV2)", async () => {
  const core = await bench.start({ model: echo() });
  const { catalog } = core.features.sessions;
  const version = await add(core, "s", await send(core, "s", "one"), { text: "uno" });
  expect((await catalog.pin(version.session, true)).pinned).toBe(true);
  expect(await catalog.rename(version.session, "Numbers")).toMatchObject({ title: "Numbers", titled: true });
  const listed = (await catalog.list(10, { pinned: true })).sessions;
  expect(listed.map(({ id, title, pinned }) => [id, title, pinned])).toEqual([["s", "Numbers", true]]);
  expect((await catalog.list(10, { pinned: false })).sessions).toEqual([]);
  await catalog.pin(version.session, false);
  await catalog.rename(version.session, null);
  expect((await catalog.list(10)).sessions).toMatchObject([{ id: "s", title: "one", pinned: false }]);
});

test("a schedule's message that reads like a command stays one for the model when it is asked again", async () => {
  const core = await bench.start({ model: echo() });
  const { edits, catalog } = core.features.sessions;
  const input = textInput("/help");
  const first = await core.service.start({ class: "operator", context: "s", origin: "schedule", input });
  await first.settled();
  const answerOf = async (id: string) => (await catalog.turns(id, { limit: 1 })).turns[0]?.answer;
  expect(await answerOf("s")).toBe("/help");
  const version = await add(core, "s", first.id);
  expect(await answerOf(version.session)).toBe("/help");
  // Of the version it is the person's own turn, with the schedule's text.
  expect(await answerOf((await add(core, version.session, version.task)).session)).toBe("/help");
  await (await edits.regenerate("s")).settled();
  expect(await answerOf("s")).toBe("/help");
  // What a person writes instead is theirs.
  const edited = await add(core, version.session, version.task, { text: "/help" });
  expect(await answerOf(edited.session)).not.toBe("/help");
});

test("a turn of a role is asked again in that role", async () => {
  const core = await bench.start({ model: echo() });
  const { versions, edits } = core.features.sessions;
  const start = { class: "operator", context: "s", origin: "chat", role: "reader", input: textInput("find") } as const;
  const task = await core.service.start(start);
  await task.settled();
  await core.service.runner.idle(1_000);
  const version = await versions.add("s", task.id);
  expect(version.view.role).toBe("reader");
  await version.settled();
  await core.service.runner.idle(1_000);
  expect((await edits.regenerate("s")).view.role).toBe("reader");
});

test("versions of a version that is deleted stay beside those that it parted from (SV1)", async () => {
  const core = await bench.start({ model: echo() });
  const { removal } = core.features.sessions;
  await send(core, "s", "one");
  const first = await add(core, "s", await send(core, "s", "two"), { text: "zwei" });
  const second = await add(core, first.session, await send(core, first.session, "three"), { text: "drei" });
  const third = await add(core, second.session, second.task, { text: "trois" });
  const fourth = await add(core, third.session, await send(core, third.session, "four"), { text: "quatre" });
  const remaining = async (...sessions: string[]) => {
    const found: string[] = [];
    for (const session of sessions)
      for (const line of await read(core, session)) found.push(line.replace(/ → .* /, " "));
    return found;
  };
  await removal.remove(first.session, { retire: true });
  expect(await remaining("s", second.session, third.session)).toEqual([
    ...["one 1/1", "two 1/2"],
    ...["one 1/1", "zwei 2/2", "drei 1/2"],
    ...["one 1/1", "zwei 2/2", "trois 2/2", "four 1/2"],
  ]);
  await removal.remove(second.session, { retire: true });
  await removal.remove(third.session, { retire: true });
  expect(await remaining("s", fourth.session)).toEqual([
    ...["one 1/1", "two 1/2"],
    ...["one 1/1", "zwei 2/2", "trois 1/1", "quatre 1/1"],
  ]);
});

test("versions stay over a kill, and an export holds every one of them", async () => {
  const store = bench.newStore();
  const before = await bench.start({ store, model: echo() });
  const one = await send(before, "s", "one");
  const version = await add(before, "s", one, { text: "uno" });
  await bench.crash(before);
  const core = await bench.start({ store, model: echo() });
  await core.feed.catchUp();
  expect(await read(core, "s")).toEqual(["one → one 1/2"]);
  expect(await read(core, version.session)).toEqual(["uno → uno 2/2"]);
  await send(core, version.session, "due");
  expect((await core.features.sessions.catalog.list(5)).sessions.map(({ id }) => id)).toEqual(["s"]);
  for (const id of ["s", version.session]) {
    const text = (await Array.fromAsync(sessionMarkdown(core.features.sessions.catalog, id))).join("");
    for (const said of ["one", "uno", "due"])
      expect(text.match(new RegExp(`^${said}$`, "gm"))?.length).toBeGreaterThan(0);
    expect(text.match(/^# Another version, from the first turn on$/gm)).toHaveLength(1);
    expect(text.match(/^## User$/gm)).toHaveLength(3);
  }
});

test("versions go with their conversation, and a fork of one stays (SV2, SD4)", async () => {
  const core = await bench.start({ model: echo() });
  const one = await send(core, "s", "one");
  const version = await add(core, "s", one, { text: "uno" });
  const second = await add(core, version.session, version.task);
  const { edits, removal, catalog } = core.features.sessions;
  const fork = await edits.fork(version.session);
  await removal.remove("s", { retire: true });
  for (const id of ["s", version.session, second.session]) {
    await expect(catalog.read(id)).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await read(core, fork)).toEqual(["uno → uno 1/1"]);
  expect((await catalog.read(fork)).forkedFrom).toMatchObject({ title: undefined });
  await removal.remove(fork, { retire: true });
  for (const table of ["task", "event", "message", "session", "session_turn", "session_fork"]) {
    expect([table, await core.db.read({ sql: `SELECT count(*) FROM ${table}`, args: [] })]).toEqual([table, [[0]]]);
  }
});

test("a conversation whose first version expires is listed with the newest of the others (SD4)", async () => {
  const clock = manualClock();
  const core = await bench.start({ model: echo(), clock });
  const { catalog, removal } = core.features.sessions;
  const one = await send(core, "s", "one");
  const old = await add(core, "s", one, { text: "uno" });
  await catalog.rename("s", "Numbers");
  await clock.advance(2 * 86_400_000);
  const version = await add(core, "s", one, { text: "ein" });
  const keep = { ...DEFAULT_RETENTION, conversationMaxAgeDays: 1, harvest: false };
  const removeSession = (id: string) => removal.remove(id, { retire: true, alone: true });
  expect((await removeExpired({ db: core.db, now: clock.now(), keep, removeSession })).conversations).toBe(2);
  const { sessions } = await catalog.list(5);
  expect(sessions.map(({ id, title, versionOf }) => [id, title, versionOf])).toEqual([
    [version.session, "Numbers", undefined],
  ]);
  expect(old.session).not.toBe(version.session);
});

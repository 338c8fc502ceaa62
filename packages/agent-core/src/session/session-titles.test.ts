import { afterAll, afterEach, expect, test } from "vitest";
import { type BenchOptions, coreBench, type StandardCore, textInput } from "../core-bench.ts";
import { askedIn, TITLE_INSTRUCTIONS } from "../model/index.ts";
import { listTasks, type TaskFilter } from "../task/index.ts";
import { type ScriptedTurn, scriptedModel } from "../testing/index.ts";
import { headlineOf } from "./headline.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const FREE = { input: 0, output: 0 };

interface TitleOptions extends Omit<BenchOptions, "model" | "settings"> {
  readonly titles?: boolean;
  readonly auxModel?: string;
  readonly price?: object | null;
  readonly title?: ScriptedTurn;
}

/** A core with what its models were asked: `lead` for a title's request of the lead, else the model's name. */
async function start({
  titles = true,
  auxModel = "",
  price = FREE,
  title = "Tea in Kyoto",
  ...rest
}: TitleOptions = {}) {
  const asked: { model: string; text: string; priority: string | undefined }[] = [];
  const model = scriptedModel((request) => {
    const [first] = request.messages;
    const [part] = first?.role === "user" ? first.content : [];
    if (request.system !== TITLE_INSTRUCTIONS) return "An answer.";
    expect(request.tools).toEqual([]);
    const priority = model.calls.at(-1)?.options.priority;
    asked.push({ model: request.model, text: part?.kind === "text" ? askedIn(part.text) : "", priority });
    return title;
  });
  const core = await bench.start({
    ...rest,
    model: (value) => ({ model, name: value ?? "lead", price: (price ?? undefined) as never }),
    settings: ({ name }) => (name === "sessions" ? { titles } : { aux_model: auxModel }),
  });
  return { core, asked, model };
}

const CONSOLE = { surface: "console" };

async function say(core: StandardCore, context: string, text: string, metadata: object = CONSOLE) {
  const input = textInput(text, metadata as { readonly [key: string]: unknown });
  const task = await core.service.start({ class: "operator", context, origin: "a2a", input });
  await task.settled();
  await core.service.runner.idle(1_000);
  return task;
}

/** Resolves once no title is due or asked for. */
async function titled(core: StandardCore, id: string): Promise<string> {
  await core.feed.idle();
  await expect
    .poll(async () => (await core.db.read({ sql: "SELECT 1 FROM session WHERE titling > ''", args: [] })).length)
    .toBe(0);
  return (await core.features.sessions.catalog.read(id)).title;
}

test("a chat of the console gets a title after its first answer, once, at bulk priority (SH1)", async () => {
  const { core, asked } = await start();
  const events = core.bus.follow(undefined, new AbortController().signal);
  const first = await say(core, "s", "Where do I drink good tea in Kyoto?");
  expect(await titled(core, "s")).toBe("Tea in Kyoto");
  await say(core, "s", "And in Osaka?");
  expect(await titled(core, "s")).toBe("Tea in Kyoto");
  expect(asked).toEqual([{ model: "lead", text: "Where do I drink good tea in Kyoto?", priority: "bulk" }]);
  expect((await core.features.sessions.catalog.list(10)).sessions.map(({ id }) => id)).toEqual(["s"]);
  expect((await core.features.sessions.catalog.list(10, { search: "tea" })).sessions).toHaveLength(1);
  core.bus.close();
  const changes = (await Array.fromAsync(events)).flat().filter(({ topic }) => topic === "session.changed");
  expect(changes.length).toBeGreaterThan(1);
  const [row] = await core.db.read({ sql: "SELECT id FROM task WHERE parent = ?", args: [first.id] });
  const { view } = (await core.service.get(String(row?.[0])))!;
  expect([view.role, view.origin, view.models.map(({ calls }) => calls)]).toEqual(["title", "auxiliary", [1]]);
});

test("what asks for a title is no run of a list, until it is asked for, and no conversation", async () => {
  const { core } = await start();
  const first = await say(core, "s", "Hello there");
  await titled(core, "s");
  const listed = async (filter: TaskFilter) =>
    (await listTasks(core, filter, { limit: 10 })).cursors.map(({ id }) => id);
  expect(await listed({})).toEqual([first.id]);
  const [asked = ""] = await listed({ origin: "auxiliary" });
  const { view } = (await core.service.get(asked))!;
  expect(view).toMatchObject({ role: "title", parent: { task: first.id } });
  expect(await listed({ context: view.context })).toEqual([asked]);
  expect((await core.features.sessions.catalog.list(10)).sessions.map(({ id }) => id)).toEqual(["s"]);
});

test.each<[string, TitleOptions, object?, string?]>([
  ["they are switched off (sessions.titles)", { titles: false }],
  ["the lead's price is not known", { price: null }],
  ["the lead costs something", { price: { input: 1, output: 2 } }],
  ["it began elsewhere", {}, { surface: "cli" }],
  ["it is incognito", {}, { ...CONSOLE, incognito: true }, ""],
])("the first words stay where %s", async (_, options, metadata = CONSOLE, title = "Words of mine") => {
  const { core, asked } = await start(options);
  await say(core, "s", "Words of mine", metadata);
  expect(await titled(core, "s")).toBe(title);
  expect(asked).toEqual([]);
});

test("the auxiliary model is asked where there is one (aux_model)", async () => {
  const { core, asked } = await start({ auxModel: "small:one", price: { input: 1, output: 2 } });
  await say(core, "s", "Hello");
  expect(await titled(core, "s")).toBe("Tea in Kyoto");
  expect(asked.map(({ model }) => model)).toEqual(["small:one"]);
});

test("the first words stay where no model can be chosen any more", async () => {
  const warnings: string[] = [];
  const model = scriptedModel(() => "An answer.");
  let gone = false;
  const core = await bench.start({
    model() {
      if (gone) throw new Error("there is no model");
      return { model, name: "lead", price: FREE };
    },
    log: { info: () => {}, warn: (text) => warnings.push(text) },
  });
  await say(core, "s", "Words of mine");
  gone = true;
  expect(await titled(core, "s")).toBe("Words of mine");
  expect(warnings).toEqual(["a conversation keeps its first words as a title: Error: there is no model"]);
});

test("a chat whose first turn was stopped is named after what was asked first", async () => {
  const { core, asked } = await start();
  await core.features.sessions.catalog.list(1);
  const input = textInput("Tell me of tea", CONSOLE);
  const task = await core.service.start({ class: "operator", context: "s", origin: "a2a", input });
  await core.service.cancel(task.id);
  await say(core, "s", "Go on");
  await titled(core, "s");
  expect(asked.map(({ text }) => text)).toEqual(["Tell me of tea"]);
});

test("a person's title stays, and none is asked for after it was taken away again (SH2)", async () => {
  const hold = Promise.withResolvers<void>();
  const { core, asked } = await start({ title: [{ until: hold.promise }, { say: "Late" }] });
  await say(core, "s", "Hello there");
  await core.feed.idle();
  await expect.poll(() => asked.length).toBe(1);
  await core.features.sessions.catalog.rename("s", "Mine");
  hold.resolve();
  expect(await titled(core, "s")).toBe("Mine");
  await core.service.runner.idle(1_000);
  expect(await core.features.sessions.catalog.rename("s", null)).toMatchObject({ title: "Hello there" });
  await say(core, "s", "Again");
  expect(await titled(core, "s")).toBe("Hello there");
  expect(asked).toHaveLength(1);
});

test("after a kill between answer and title it is asked for, and after one in between the same task continues (SH1)", async () => {
  const store = bench.newStore();
  const first = await start({ store, title: [{ hang: true }] });
  await say(first.core, "s", "Hello there");
  await bench.crash(first.core);

  const second = await start({ store, title: [{ hang: true }] });
  await second.core.feed.catchUp();
  await expect.poll(() => second.asked.length).toBe(1);
  await bench.crash(second.core);

  const third = await start({ store });
  expect(await titled(third.core, "s")).toBe("Tea in Kyoto");
  expect(third.asked).toHaveLength(1);
  expect(await third.core.db.read({ sql: "SELECT count(*) FROM task WHERE parent IS NOT NULL", args: [] })).toEqual([
    [1],
  ]);
});

test("where restarts end tasks, it is asked for once more and no oftener (SH1)", async () => {
  const store = bench.newStore();
  for (let starts = 0; starts < 2; starts++) {
    const { core, asked } = await start({ store, onRestart: "fail", title: [{ hang: true }] });
    if (starts === 0) await say(core, "s", "Hello there");
    await core.feed.catchUp();
    await expect.poll(() => asked.length).toBe(1);
    await bench.crash(core);
  }
  const { core, asked } = await start({ store, onRestart: "fail" });
  expect(await titled(core, "s")).toBe("Hello there");
  expect(asked).toEqual([]);
});

test("a chat that is deleted while its title is asked for leaves nothing", async () => {
  const { core, asked } = await start({ title: [{ hang: true }] });
  await say(core, "s", "Hello there");
  await core.feed.idle();
  await expect.poll(() => asked.length).toBe(1);
  await core.features.sessions.removal.remove("s", { retire: true });
  for (const table of ["task", "event", "message", "session", "session_turn"]) {
    expect([table, await core.db.read({ sql: `SELECT count(*) FROM ${table}`, args: [] })]).toEqual([table, [[0]]]);
  }
});

test.each([
  ['"Tea in Kyoto"', "Tea in Kyoto"],
  ["**Title: Tea in Kyoto.**\n\nI hope it helps!", "Tea in Kyoto"],
  ["\n\u202e Tea\u0007 in\tKyoto \u2028 more", "Tea in Kyoto"],
  ["« Thé à Kyoto »", "Thé à Kyoto"],
  ["The `git` **bisect** command", "The git bisect command"],
  ["Calling __once__ through desk__book_table", "Calling once through desk__book_table"],
  ["# Names in C#", "Names in C#"],
  ["Sorry for the late tea", "Sorry for the late tea"],
  ["I'm sorry, but I can't help with that.", undefined],
  ["“I cannot assist with this request.”", undefined],
  ["Es tut mir leid, dabei kann ich nicht helfen.", undefined],
  ["می\u200cخواهم چای", "می\u200cخواهم چای"],
  ["👩🏽\u200d🚀 tea\u200d in\u200b Kyoto\u200c", "👩🏽\u200d🚀 tea in Kyoto"],
  ["…\n\n---", undefined],
  ["", undefined],
  [`${"long ".repeat(40)}end`, `${"long ".repeat(15).trim()}…`],
  [`${"𝒙".repeat(100)}`, `${"𝒙".repeat(79)}…`],
])("makes a plain title of %j", (answer, headline) => {
  expect(headlineOf(answer)).toBe(headline);
});

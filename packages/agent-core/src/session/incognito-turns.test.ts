import { existsSync, readFileSync } from "node:fs";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, holdCommit, hooked, STANDARD, type StandardCore, textInput } from "../core-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { ObservedCall } from "../turn/index.ts";
import { INCOGNITO_IDLE_MS } from "./incognito-turns.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

async function send(core: StandardCore, context: string, text: string, incognito = true): Promise<string> {
  const input = { ...textInput(text), ...(incognito && { metadata: { incognito: true } }) };
  const task = await core.service.start({ class: "operator", context, origin: "chat", input });
  await task.settled();
  await core.service.runner.idle(1_000);
  return task.id;
}

/** The tables and columns that contain a text. */
async function columnsWith(core: StandardCore, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const [table, column] of [
    ["event", "body"],
    ["message", "body"],
    ["call", "args"],
    ["prompt", "payload"],
    ["session", "opening"],
    ["task", "options"],
  ] as const) {
    const like = { sql: `SELECT 1 FROM ${table} WHERE ${column} LIKE ?`, args: [`%${text}%`] };
    if ((await core.db.read(like)).length > 0) found.push(table);
  }
  return found;
}

test("an incognito turn is shown to the model while its session lasts, and in no snapshot, title or search", async () => {
  const observed: ObservedCall[] = [];
  const model = scriptedModel(() => "Hush.");
  const core = await bench.start({
    model,
    features: [...STANDARD, hooked({ onModelCall: (_, call) => void observed.push(call) })],
  });
  await send(core, "s", "my secret garden");
  await send(core, "s", "and now?");
  expect(model.calls[1]?.request.messages).toHaveLength(3);
  expect(observed.map(({ incognito }) => incognito)).toEqual([true, true]);
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ title: "", turns: 2 });
  expect((await core.features.sessions.catalog.list(10, { search: "garden" })).sessions).toEqual([]);
  expect((await core.features.sessions.catalog.turns("s", { limit: 10 })).turns).toHaveLength(2);
});

test("nothing is left of it twelve hours after its last turn; other turns of the session stay (SG1)", async () => {
  const clock = manualClock();
  const model = scriptedModel(() => "Hush.");
  const core = await bench.start({ model, clock });
  await send(core, "mixed", "an open word", false);
  await send(core, "mixed", "a secret word");
  await send(core, "alone", "another secret word");
  const fork = await core.features.sessions.edits.fork("mixed");
  await expect(core.features.sessions.edits.fork("alone")).rejects.toMatchObject({ code: "incognito" });
  await core.features.sessions.incognito.endIdle(clock.now() - INCOGNITO_IDLE_MS);
  expect(await columnsWith(core, "secret")).toEqual(["event", "message"]);
  await core.features.sessions.incognito.endIdle(clock.now() + 1);
  expect(await columnsWith(core, "secret")).toEqual([]);
  expect(await core.features.sessions.catalog.read("mixed")).toMatchObject({ turns: 1 });
  await expect(core.features.sessions.catalog.read("alone")).rejects.toMatchObject({ code: "not_found" });
  expect(await core.features.sessions.catalog.read(fork)).toMatchObject({ turns: 1 });
  await send(core, "mixed", "go on", false);
  expect(model.calls.at(-1)?.request.messages).toHaveLength(3);
});

test("one that was taken back leaves no row either (SG1)", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Hush.") });
  const kept = await send(core, "s", "an open word", false);
  await send(core, "s", "a secret word");
  await core.features.sessions.edits.rewind("s", kept);
  await core.features.sessions.incognito.endIdle(Number.MAX_SAFE_INTEGER);
  expect(await core.db.read({ sql: "SELECT task FROM session_turn", args: [] })).toEqual([[kept]]);
});

test("a regenerated one is another, of which nothing stays either", async () => {
  const observed: ObservedCall[] = [];
  const model = scriptedModel(() => "Hush.");
  const core = await bench.start({
    model,
    features: [...STANDARD, hooked({ onModelCall: (_, call) => void observed.push(call) })],
  });
  await send(core, "s", "my secret garden");
  await (await core.features.sessions.edits.regenerate("s")).settled();
  await core.service.runner.idle(1_000);
  expect(observed.map(({ incognito }) => incognito)).toEqual([true, true]);
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ title: "", turns: 1 });
  expect((await core.features.sessions.catalog.list(10, { search: "garden" })).sessions).toEqual([]);
  await core.features.sessions.incognito.endIdle(Number.MAX_SAFE_INTEGER);
  expect(await columnsWith(core, "secret")).toEqual([]);
});

test.each(["its idle end", "the deletion of its conversation"])(
  "a fork shows it until %s and keeps none of it",
  async (end) => {
    const observed: ObservedCall[] = [];
    const isSummary = (system?: string): boolean => system?.startsWith("You summarise") === true;
    const model = scriptedModel(({ system }) => (isSummary(system) ? "## Intent\nthe secret" : "Hush."));
    const features = [...STANDARD, hooked({ onModelCall: (_, call) => void observed.push(call) })];
    const core = await bench.start({ model, features });
    const { edits, incognito, removal, catalog } = core.features.sessions;
    await send(core, "s", "an open word", false);
    await send(core, "s", "a secret word");
    const [plain, summed] = [await edits.fork("s"), await edits.fork("s")];
    await send(core, plain, "and now?", false);
    expect(JSON.stringify(model.calls.at(-1)?.request.messages)).toContain("a secret word");
    expect(observed.at(-1)).toMatchObject({ incognito: true });
    for (const word of ["one", "two", "three"]) await send(core, summed, word, false);
    await (await edits.compact(summed)).settled();
    await core.service.runner.idle(1_000);
    if (end === "its idle end") await incognito.endIdle(Number.MAX_SAFE_INTEGER);
    else await removal.remove("s", { retire: true });
    expect(await columnsWith(core, "secret")).toEqual([]);
    for (const fork of [plain, summed]) {
      await send(core, fork, "go on", false);
      expect(JSON.stringify(model.calls.at(-1)?.request.messages)).not.toContain("secret");
    }
    expect(await catalog.read(plain)).toMatchObject({ turns: 3 });
  },
);

test("a summary that was made of it keeps none of its text", async () => {
  const isSummary = (system?: string): boolean => system?.startsWith("You summarise") === true;
  const model = scriptedModel(({ system }) => (isSummary(system) ? "## Intent\nthe secret" : "Hush."));
  const core = await bench.start({ model });
  await send(core, "s", "an open word", false);
  await send(core, "s", "a secret word");
  for (const word of ["one", "two", "three"]) await send(core, "s", word, false);
  await (await core.features.sessions.edits.compact("s")).settled();
  await core.service.runner.idle(1_000);
  await send(core, "s", "go on", false);
  expect(JSON.stringify(model.calls.at(-1)?.request.messages)).toContain("the secret");
  await core.features.sessions.incognito.endIdle(Number.MAX_SAFE_INTEGER);
  expect(await columnsWith(core, "secret")).toEqual([]);
});

test("its end publishes the session, and not its delegations, which no list shows", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Hush.") });
  await send(core, "s", "a secret word");
  await send(core, "subagent:1", "a secret errand");
  await core.feed.idle();
  const events = core.bus.follow(undefined, new AbortController().signal);
  await core.features.sessions.incognito.endIdle(Number.MAX_SAFE_INTEGER);
  core.bus.close();
  const published = (await Array.fromAsync(events)).flat().map(({ text }) => JSON.parse(text) as { data: object });
  expect(published.map(({ data }) => data)).toEqual([{ session_id: "s" }]);
});

test("a store that takes no writes does not hold up a stop; the next start removes it", async () => {
  const store = bench.newStore();
  const clock = manualClock();
  const held = holdCommit("session.erase:before");
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (line: string) => void warnings.push(line) };
  const core1 = await bench.start({ store, model: scriptedModel(["Hush."]), clock, log, failpoints: held.failpoints });
  await send(core1, "s", "a secret word");
  const stopped = core1.stop();
  await held.reached;
  await clock.untilDueIn(3_000);
  await clock.advance(3_000);
  await stopped;
  expect(warnings).toEqual([expect.stringContaining("removed at the next start")]);
  held.release();
  const core = await bench.start({ store, model: scriptedModel([]) });
  await expect.poll(() => columnsWith(core, "secret")).toEqual([]);
});

test.each(["before", "after"])(
  "its end goes on where a process ended right %s forgetting its summaries",
  async (side) => {
    const store = bench.newStore();
    const isSummary = (system?: string): boolean => system?.startsWith("You summarise") === true;
    const model = scriptedModel(({ system }) => (isSummary(system) ? "## Intent\nthe secret" : "Hush."));
    const held = holdCommit(`session.forget:${side}`);
    const core1 = await bench.start({ store, model, failpoints: held.failpoints });
    await send(core1, "s", "an open word", false);
    await send(core1, "s", "a secret word");
    for (const word of ["one", "two", "three"]) await send(core1, "s", word, false);
    await (await core1.features.sessions.edits.compact("s")).settled();
    await core1.service.runner.idle(1_000);
    const ending = core1.features.sessions.incognito.endIdle(Number.MAX_SAFE_INTEGER);
    await held.reached;
    await bench.crash(core1);
    held.fail(new Error("the process has ended"));
    await expect(ending).rejects.toThrow();
    const core2 = await bench.start({ store, model });
    await expect.poll(() => columnsWith(core2, "secret")).toEqual([]);
    // The four open ones, and that of the summary.
    expect(await core2.features.sessions.catalog.read("s")).toMatchObject({ turns: 5 });
  },
);

test("a restart ends it, also where tasks are resumed, and so does a stop (SG2)", async () => {
  const store = bench.newStore();
  const core1 = await bench.start({ store, model: scriptedModel(["Hush.", [{ hang: true }]]), onRestart: "resume" });
  await send(core1, "s", "a secret word");
  const input = { ...textInput("more of the secret"), metadata: { incognito: true } };
  await core1.service.start({ class: "operator", context: "s", origin: "chat", input });
  await bench.crash(core1);
  const model = scriptedModel(() => "Hush.");
  const core2 = await bench.start({ store, model, onRestart: "resume" });
  await expect.poll(() => columnsWith(core2, "secret")).toEqual([]);
  expect(model.calls).toEqual([]);
  await send(core2, "t", "the last secret");
  await core2.stop();
  const core = await bench.start({ store, model });
  expect(await columnsWith(core, "secret")).toEqual([]);
});

test("what is said in its conversation, or in a fork, before a restart has removed it is in no snapshot either (SG1)", async () => {
  const store = bench.newStore();
  const core1 = await bench.start({ store, model: scriptedModel(() => "Hush.") });
  await send(core1, "mixed", "an open word", false);
  await send(core1, "mixed", "a secret word");
  await send(core1, "whole", "another secret word");
  const fork = await core1.features.sessions.edits.fork("mixed");
  await bench.crash(core1);
  const observed: ObservedCall[] = [];
  const removal = holdCommit("session.forget:before");
  const features = [...STANDARD, hooked({ onModelCall: (_, call) => void observed.push(call) })];
  const model = scriptedModel(() => "Hush.");
  const core = await bench.start({ store, model, features, failpoints: removal.failpoints });
  await removal.reached;
  await send(core as StandardCore, fork, "and now?", false);
  expect(JSON.stringify(model.calls[0]?.request.messages)).toContain("a secret word");
  expect(observed.map(({ incognito }) => incognito)).toEqual([true]);
  removal.release();
  await expect.poll(() => columnsWith(core as StandardCore, "secret")).toEqual([]);
});

test("a stop removes what other features keep of it while they are still open (SG2)", async () => {
  let isClosed = false;
  const forgotten: string[] = [];
  const keeper = hooked({
    async forgetTasks(_, tasks) {
      if (isClosed) throw new Error("it is closed");
      forgotten.push(...tasks);
    },
    close() {
      isClosed = true;
    },
  });
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (line: string) => void warnings.push(line) };
  for (const features of [
    [...STANDARD, keeper],
    [keeper, ...STANDARD],
  ]) {
    isClosed = false;
    const core = await bench.start({ features, model: scriptedModel(["Hush."]), log });
    const task = await send(core as StandardCore, "s", "a secret word");
    await core.stop();
    expect([forgotten.splice(0), warnings]).toEqual([[task], []]);
  }
});

/** Whether a text is anywhere in the files of a store. */
function isInFiles(store: string, text: string): boolean {
  const path = store.slice("file:".length);
  return [path, `${path}-wal`].some((file) => existsSync(file) && readFileSync(file).includes(text));
}

test("a conversation that began incognito stays so, whatever its later messages ask for; another does not (SG3)", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Hush.") });
  await send(core, "whole", "a secret word");
  await send(core, "whole", "another secret word", false);
  await core.service.steer({
    ...{ class: "operator", context: "whole", origin: "chat" },
    input: { messageId: "m", parts: [{ kind: "text", text: "a secret remark" }] },
  });
  await core.service.runner.idle(1_000);
  await send(core, "mixed", "an open word", false);
  await send(core, "mixed", "a secret word");
  await send(core, "mixed", "another open word", false);
  const { catalog } = core.features.sessions;
  expect(await catalog.read("whole")).toMatchObject({ incognito: true, title: "", turns: 3 });
  expect(await catalog.read("mixed")).toMatchObject({ incognito: false, title: "an open word" });
  await catalog.rename("whole", "Hushed matters");
  expect((await catalog.list(10, { search: "hushed" })).sessions).toEqual([]);
  expect((await catalog.list(10, { search: "remark" })).sessions).toEqual([]);
  await core.features.sessions.incognito.endIdle(Number.MAX_SAFE_INTEGER);
  expect(await columnsWith(core, "secret")).toEqual([]);
  expect(await catalog.read("mixed")).toMatchObject({ turns: 2 });
  await send(core, "whole", "an open word", false);
  expect(await catalog.read("whole")).toMatchObject({ incognito: false, title: "an open word" });
});

test("two messages that begin a conversation at once are one conversation: both are incognito", async () => {
  const core = await bench.start({ model: scriptedModel(() => "Hush.") });
  await Promise.all([send(core, "s", "a secret word"), send(core, "s", "another secret word", false)]);
  expect(await core.features.sessions.catalog.read("s")).toMatchObject({ incognito: true, turns: 2, title: "" });
  await core.features.sessions.removal.remove("s", { retire: true });
  expect(await columnsWith(core, "secret")).toEqual([]);
});

test("once it is closed its text is not in the files of the store, nor in its log", async () => {
  const store = bench.newStore();
  const core = await bench.start({ store, model: scriptedModel(["Hello.", "The canary-answer.", "Noted."]) });
  const long = `canary-question ${"and so on ".repeat(2_000)}`;
  await send(core, "open", "a plain word", false);
  await send(core, "closed", long);
  await core.service.steer({
    ...{ class: "operator", context: "closed", origin: "chat" },
    input: { messageId: "m", parts: [{ kind: "text", text: "canary-remark" }] },
  });
  await core.service.runner.idle(1_000);
  await core.feed.idle();
  for (const text of ["question", "answer", "remark"]) expect(isInFiles(store, `canary-${text}`)).toBe(true);
  await core.features.sessions.removal.remove("closed", { retire: true });
  for (const text of ["question", "answer", "remark"]) expect(isInFiles(store, `canary-${text}`)).toBe(false);
});

test("calls that are shown an incognito turn are in no snapshot either, until it is removed", async () => {
  const observed: ObservedCall[] = [];
  const core = await bench.start({
    model: scriptedModel(() => "Hush."),
    features: [...STANDARD, hooked({ onModelCall: (_, call) => void observed.push(call) })],
  });
  await send(core, "mixed", "an open word", false);
  await send(core, "mixed", "a secret word");
  await send(core, "mixed", "another open word", false);
  await core.features.sessions.incognito.endIdle(Number.MAX_SAFE_INTEGER);
  await send(core, "mixed", "go on", false);
  expect(observed.map(({ incognito }) => incognito)).toEqual([false, true, true, false]);
  expect(await core.features.sessions.catalog.read("mixed")).toMatchObject({ turns: 3, incognito: false });
});

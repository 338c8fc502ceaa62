import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, coreBench, countedTool, eventsOfKind, holdCommit, textInput } from "../core-bench.ts";
import type { AgentCore } from "../create-agent-core.ts";
import { DatabaseError } from "../database/index.ts";
import type { ModelRequest } from "../model/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { TaskError } from "./task-error.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const steer = (core: AgentCore, text: string, context = "c") =>
  core.service.steer({ class: "operator", context, origin: "a2a", input: textInput(text) });

/** Texts of the user messages the model was shown. */
const userTexts = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).flatMap((message) =>
    message.role === "user" ? message.content.flatMap((part) => (part.kind === "text" ? [part.text] : [])) : [],
  );

const unread = async (core: AgentCore) => (await core.db.read({ sql: "SELECT id FROM steering", args: [] })).length;

/** Resolves with the next task that is accepted. */
const nextTask = (core: AgentCore) =>
  new Promise<string>((resolve) => {
    core.journal.onCommit((record, events) => {
      if (events[0]?.event.kind === "task.accepted") resolve(record.view.id);
    });
  });

describe("steering (R8)", () => {
  test("is durable when accepted and read exactly once, by the next model call", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([
      [{ until: gate.promise }, { call: { name: "count" } }],
      [{ call: { name: "count" } }],
      "Done.",
    ]);
    const core = await bench.start({ model, tools: [countedTool("count").tool] });
    const task = await core.tasks.start({ context: "c", text: "go" });
    await model.untilCall(1);
    await steer(core, "mind the gap");
    await steer(core, "and the doors");
    expect(await unread(core)).toBe(2);
    gate.resolve();
    await task.settled();
    expect(userTexts(model.calls[1]?.request)).toEqual(["go", "mind the gap", "and the doors"]);
    expect(userTexts(model.calls[2]?.request)).toEqual(["go", "mind the gap", "and the doors"]);
    expect(await unread(core)).toBe(0);
    expect(await eventsOfKind(core, task.id, "input.consumed")).toMatchObject([{ inputs: [{}, {}] }]);
    expect(task.view.history).toHaveLength(3);
  });

  test("that a turn did not read starts one turn for all of it", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }, { say: "Done." }], "Also done."]);
    const core = await bench.start({ model });
    const task = await core.tasks.start({ context: "c", text: "go" });
    await model.untilCall(1);
    const followUp = nextTask(core);
    await Promise.all([steer(core, "one"), steer(core, "two")]);
    gate.resolve();
    await task.settled();
    const next = (await core.tasks.get(await followUp))!;
    await next.settled();
    expect(answerText(next)).toBe("Also done.");
    expect(userTexts(model.calls[1]?.request)).toEqual(["go", "one", "two"]);
    expect(await unread(core)).toBe(0);
  });

  test("starts a turn of its own where none runs", async () => {
    const model = scriptedModel(["Hello."]);
    const core = await bench.start({ model });
    const started = nextTask(core);
    await steer(core, "anybody there?");
    const task = (await core.tasks.get(await started))!;
    await task.settled();
    expect(userTexts(model.calls[0]?.request)).toEqual(["anybody there?"]);
  });

  test("starts a turn also while every slot is taken by other contexts", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }], "Hello."]);
    const core = await bench.start({ model, turns: { maxBegun: 1 } });
    const busy = await core.tasks.start({ context: "busy", text: "go" });
    const started = nextTask(core);
    await steer(core, "anybody there?");
    const task = (await core.tasks.get(await started))!;
    expect(task.view.state).toBe("queued");
    gate.resolve();
    await Promise.all([busy.settled(), task.settled()]);
    expect(answerText(task)).toBe("Hello.");
  });

  test("is read by the turn that waits behind, when one does", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }, { say: "One." }], "Two."]);
    const core = await bench.start({ model });
    const first = await core.tasks.start({ context: "c", text: "1" });
    const second = await core.tasks.start({ context: "c", text: "2" });
    await steer(core, "both");
    gate.resolve();
    await Promise.all([first.settled(), second.settled()]);
    expect(userTexts(model.calls[1]?.request)).toEqual(["1", "2", "both"]);
    expect(await unread(core)).toBe(0);
    expect(model.calls).toHaveLength(2);
  });

  test.each(["parks", "is canceled"])("that a turn which %s did not read gets a turn of its own", async (how) => {
    const gate = Promise.withResolvers<void>();
    const asks = countedTool("asks", { run: () => park.question("?") });
    const model = scriptedModel([[{ until: gate.promise }, { call: { name: "asks" } }], "Heard."]);
    const core = await bench.start({ model, tools: [asks.tool] });
    const task = await core.tasks.start({ context: "c", text: "go" });
    await model.untilCall(1);
    await steer(core, "listen");
    const followUp = nextTask(core);
    if (how === "parks") gate.resolve();
    else await core.tasks.cancel(task.id);
    const next = (await core.tasks.get(await followUp))!;
    await next.settled();
    expect(answerText(next)).toBe("Heard.");
    expect(await unread(core)).toBe(0);
  });

  test("belongs to its class: the other class's turn of the same context name does not read it (A16)", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel((request) =>
      userTexts(request)[0] === "go" ? [{ until: gate.promise }, { say: "Done." }] : "Heard.",
    );
    const core = await bench.start({ model });
    const other = await core.service.start({
      class: "federation",
      context: "c",
      origin: "a2a",
      input: textInput("go"),
    });
    await model.untilCall(1);
    const started = nextTask(core);
    await steer(core, "operators only");
    const mine = (await core.tasks.get(await started))!;
    await mine.settled();
    expect(mine.view.class).toBe("operator");
    gate.resolve();
    await other.settled();
    expect(userTexts(model.calls[0]?.request)).toEqual(["go"]);
  });

  test("under a key is accepted once, also when it is repeated at the same time (A15)", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }, { call: { name: "count" } }], "Done."]);
    const core = await bench.start({ model, tools: [countedTool("count").tool] });
    const task = await core.tasks.start({ context: "c", text: "go" });
    await model.untilCall(1);
    const key = { class: "operator", task: task.id, key: "k", digest: "d" };
    const once = () =>
      core.service.steer({ class: "operator", context: "c", origin: "a2a", input: textInput("left"), key });
    await Promise.all([once(), once()]);
    await once();
    expect(await unread(core)).toBe(1);
    const other = core.service.steer({
      class: "operator",
      context: "c",
      origin: "a2a",
      input: textInput("right"),
      key: { ...key, digest: "e" },
    });
    await expect(other).rejects.toMatchObject({ code: "key_conflict" });
    gate.resolve();
    await task.settled();
    expect(userTexts(model.calls[1]?.request)).toEqual(["go", "left"]);
  });

  test("beyond 100 unread messages of a context is refused", async () => {
    const model = scriptedModel([[{ hang: true }]]);
    const core = await bench.start({ model });
    await core.tasks.start({ context: "c", text: "go" });
    await Promise.all(Array.from({ length: 100 }, (_, i) => steer(core, `${i}`)));
    await expect(steer(core, "one more")).rejects.toBeInstanceOf(TaskError);
    await expect(steer(core, "one more")).rejects.toMatchObject({ code: "overloaded", retryAfterSeconds: 10 });
    expect(await unread(core)).toBe(100);
  });

  test("waits for the disk when the store cannot take its turn", async () => {
    const clock = manualClock();
    let refused = 0;
    const hit = (name: string): void => {
      if (name === "task.accept:before" && ++refused === 2) throw new DatabaseError("full", "the disk is full");
    };
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }, { say: "Done." }], "Heard."]);
    const core = await bench.start({ model, clock, failpoints: { hit } });
    const task = await core.tasks.start({ context: "c", text: "go" });
    await model.untilCall(1);
    await steer(core, "listen");
    gate.resolve();
    await task.settled();
    await clock.untilDueIn(1_000);
    const followUp = nextTask(core);
    await clock.advance(1_000);
    const next = (await core.tasks.get(await followUp))!;
    await next.settled();
    expect(answerText(next)).toBe("Heard.");
  });
});

describe("unread steering", () => {
  const of = { class: "operator", context: "c" };
  const named = (core: AgentCore, id: string, text: string) =>
    core.service.steer({ ...of, origin: "chat", input: { ...textInput(text), messageId: id } });
  const ids = (core: AgentCore) => core.service.unread(of).map(({ id }) => id);

  test("is shown in order and can be withdrawn until a model call has read it", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }, { call: { name: "count" } }], "Done."]);
    const core = await bench.start({ model, tools: [countedTool("count").tool] });
    const task = await core.tasks.start({ context: "c", text: "go" });
    await model.untilCall(1);
    const watching = new AbortController();
    const published: unknown[] = [];
    const pages = core.bus.follow(undefined, watching.signal);
    const watched = (async () => {
      for await (const page of pages) {
        const ours = page.filter(({ topic }) => topic === "steer.changed");
        published.push(...ours.map(({ text }) => JSON.parse(text).data.pending));
        if (published.length >= 5) return;
      }
    })();
    for (const id of ["a", "b", "c"]) await named(core, id, `text ${id}`);
    expect(ids(core)).toEqual(["a", "b", "c"]);
    expect(await Promise.all([core.service.withdraw(of, "b"), core.service.withdraw(of, "b")])).toEqual([true, false]);
    expect(await core.service.withdraw({ ...of, class: "federation" }, "a")).toBe(false);
    expect([ids(core), await unread(core)]).toEqual([["a", "c"], 2]);
    gate.resolve();
    await task.settled();
    expect(userTexts(model.calls[1]?.request)).toEqual(["go", "text a", "text c"]);
    expect(await core.service.withdraw(of, "a")).toBe(false);
    await watched;
    expect(published).toEqual([1, 2, 3, 2, 0]);
  });

  test("that was withdrawn is not read after a restart", async () => {
    const store = bench.newStore();
    const core1 = await bench.start({ store, model: scriptedModel([[{ hang: true }]]) });
    await core1.tasks.start({ context: "c", text: "go" });
    await named(core1, "a", "stays");
    await named(core1, "b", "goes");
    await core1.service.withdraw(of, "b");
    await bench.crash(core1);
    const model = scriptedModel(["Here."]);
    await bench.start({ store, model, onRestart: "resume" });
    await model.untilCall(1);
    expect(userTexts(model.calls[0]?.request)).toEqual(["go", "stays"]);
  });

  test("waits on when the store cannot take its withdrawal, and the turn that ends meanwhile leaves it a turn", async () => {
    const gate = Promise.withResolvers<void>();
    const held = holdCommit("task.unsteer:before");
    const model = scriptedModel([[{ until: gate.promise }, { say: "Done." }], "Heard."]);
    const core = await bench.start({ model, failpoints: held.failpoints });
    const task = await core.tasks.start({ context: "c", text: "go" });
    await model.untilCall(1);
    await named(core, "a", "listen");
    const withdrawn = core.service.withdraw(of, "a");
    await held.reached;
    gate.resolve();
    await task.settled();
    const followUp = nextTask(core);
    held.fail(new DatabaseError("full", "the disk is full"));
    await expect(withdrawn).rejects.toMatchObject({ code: "full" });
    const next = (await core.tasks.get(await followUp))!;
    await next.settled();
    expect(userTexts(model.calls[1]?.request)).toEqual(["go", "listen"]);
  });

  test("has its bound while commits are in progress", async () => {
    const core = await bench.start({ model: scriptedModel([[{ hang: true }]]) });
    await core.tasks.start({ context: "c", text: "go" });
    const all = await Promise.allSettled(Array.from({ length: 105 }, (_, i) => named(core, `${i}`, "x")));
    expect(all.filter(({ status }) => status === "rejected")).toHaveLength(5);
    expect(ids(core)).toEqual(Array.from({ length: 100 }, (_, i) => `${i}`));
  });
});

describe("steering over a restart", () => {
  async function diesUnread(): Promise<string> {
    const store = bench.newStore();
    const held = holdCommit("turn.close:before");
    const model = scriptedModel([[{ say: "Done." }]]);
    const core = await bench.start({ store, model, failpoints: held.failpoints });
    await core.tasks.start({ context: "c", text: "go" });
    await held.reached;
    await steer(core, "are you there?");
    await bench.crash(core);
    return store;
  }

  test("is read by the turn that continues, with `resume`", async () => {
    const model = scriptedModel(["Here."]);
    const core = await bench.start({ store: await diesUnread(), model, onRestart: "resume" });
    await model.untilCall(1);
    expect(userTexts(model.calls[0]?.request)).toEqual(["go", "are you there?"]);
    expect(core.reconciled).toEqual({ failed: 0, resumed: 1, parked: 0 });
  });

  test("stays with its context for the next message, with `fail` (A18)", async () => {
    const model = scriptedModel(["Here."]);
    const core = await bench.start({ store: await diesUnread(), model, onRestart: "fail" });
    expect(core.reconciled).toEqual({ failed: 1, resumed: 0, parked: 0 });
    expect([model.calls.length, await unread(core)]).toEqual([0, 1]);
    await (await core.tasks.start({ context: "c", text: "hello?" })).settled();
    expect(userTexts(model.calls[0]?.request)).toEqual(["go", "hello?", "are you there?"]);
    expect(await unread(core)).toBe(0);
  });

  test("starts a turn when its task had ended before the process did, with `resume`", async () => {
    const store = bench.newStore();
    const held = holdCommit("task.accept:before", 2);
    const gate = Promise.withResolvers<void>();
    const model1 = scriptedModel([[{ until: gate.promise }, { say: "Done." }]]);
    const core1 = await bench.start({ store, model: model1, failpoints: held.failpoints });
    const task = await core1.tasks.start({ context: "c", text: "go" });
    await model1.untilCall(1);
    await steer(core1, "one more thing");
    gate.resolve();
    await task.settled();
    await held.reached;
    await bench.crash(core1);
    const model = scriptedModel(["Yes?"]);
    const core = await bench.start({ store, model, onRestart: "resume" });
    await model.untilCall(1);
    expect(userTexts(model.calls[0]?.request)).toEqual(["go", "one more thing"]);
    expect(core.reconciled).toEqual({ failed: 0, resumed: 0, parked: 0 });
  });
});

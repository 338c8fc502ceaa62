import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import {
  answerText,
  callsOf,
  coreBench,
  countedTool,
  eventsOf,
  eventsOfKind,
  followed,
  holdCommit,
  textInput,
} from "../core-bench.ts";
import { DatabaseError } from "../database/index.ts";
import { chatCompletions } from "../model/index.ts";
import { chunkEvent } from "../testing/gateway-replies.ts";
import { localGateway } from "../testing/local-gateway.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { TaskError } from "./task-error.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const hang = () => new Promise<never>(() => {});
const ask = () => park.question("?");

describe("cancelling (A8; EN3)", () => {
  test("during a model call aborts it, closes it in the same commit and keeps its usage", async () => {
    const used = Promise.withResolvers<void>();
    const pause = {
      get until() {
        used.resolve();
        return hang();
      },
    };
    const model = scriptedModel([[{ call: { name: "count" } }, { usage: { input: 5, output: 1 } }], [pause]]);
    const core = await bench.start({ model, tools: [countedTool("count").tool] });
    const task = await core.tasks.start({ text: "?" });
    await used.promise;
    await core.tasks.cancel(task.id);
    expect(model.calls[1]?.options.signal.aborted).toBe(true);
    expect(task.view).toMatchObject({ state: "canceled", usage: { input: 5, output: 1 }, modelCall: undefined });
    const events = await eventsOf(core, task.id);
    expect(events.slice(-2).map(({ event }) => event.kind)).toEqual(["model.failed", "task.canceled"]);
    expect(core.load()).toEqual({ running: 0, waiting: 0 });
  });

  test("during a model call cuts the connection to the gateway", async () => {
    const gateway = await localGateway({ steps: [chunkEvent({ content: "Hel" }), { do: "stall" }] });
    const core = await bench.start({ model: chatCompletions({ baseUrl: gateway.baseUrl, model: "m" }) });
    const task = await core.tasks.start({ text: "?" });
    const request = await gateway.untilRequest(1);
    await followed(task).until("text.delta");
    await core.tasks.cancel(task.id);
    await request.cut;
    expect(task.view).toMatchObject({ state: "canceled", text: "Hel" });
    await gateway.close();
  });

  test("during tools aborts them: effects end unknown, pure ones aborted, those not begun are not run", async () => {
    const aborted: string[] = [];
    const hung = (name: string, more: object) =>
      countedTool(name, {
        ...more,
        run: (_, { signal }) => {
          signal.addEventListener("abort", () => aborted.push(name));
          return hang();
        },
      });
    const write = hung("write", {});
    const read = hung("read", { effect: "pure" });
    const calls = ["write", "read", "write"].map((name) => ({ call: { name } }));
    const core = await bench.start({
      model: scriptedModel([calls]),
      tools: [write.tool, read.tool],
      limits: { parallelCalls: 2 },
    });
    const task = await core.tasks.start({ text: "?" });
    while (read.runs.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await core.tasks.cancel(task.id);
    expect(task.view.state).toBe("canceled");
    expect(aborted.sort()).toEqual(["read", "write"]);
    expect((await callsOf(core, task.id)).map(({ name, outcome }) => `${name} ${outcome}`).sort()).toEqual([
      "read aborted",
      "write aborted",
      "write unknown",
    ]);
    expect(write.runs).toHaveLength(1);
  });

  test("beside a call that has parked closes both", async () => {
    const asks = countedTool("asks", { run: ask });
    const slow = countedTool("slow", { run: hang });
    const core = await bench.start({
      model: scriptedModel([[{ call: { name: "asks" } }, { call: { name: "slow" } }]]),
      tools: [asks.tool, slow.tool],
    });
    const task = await core.tasks.start({ text: "?" });
    // Everything a returned park does is done before the next turn of the event loop.
    do await new Promise((resolve) => setImmediate(resolve));
    while (slow.runs.length === 0);
    await core.tasks.cancel(task.id);
    expect(task.view).toMatchObject({ state: "canceled", prompts: [] });
    expect((await callsOf(core, task.id)).map(({ name, outcome }) => `${name} ${outcome}`).sort()).toEqual([
      "asks aborted",
      "slow unknown",
    ]);
  });

  test("a parked task expires its prompts and closes its calls", async () => {
    const core = await bench.start({
      model: scriptedModel([[{ call: { name: "asks" } }]]),
      tools: [countedTool("asks", { run: ask }).tool],
    });
    const task = await core.tasks.start({ text: "?" });
    await task.settled();
    await core.tasks.cancel(task.id);
    expect(task.view).toMatchObject({ state: "canceled", prompts: [] });
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "aborted" }]);
    expect(await core.db.read({ sql: "SELECT state FROM prompt", args: [] })).toEqual([["expired"]]);
    await expect(core.tasks.answer(task.id, { answer: "late" })).rejects.toMatchObject({ code: "not_waiting" });
  });

  test.each(["pure", "effect"] as const)("a task with one of two prompts answered closes both (%s)", async (effect) => {
    const tool = (name: string) => countedTool(name, { effect, run: ask, resume: () => "resumed" }).tool;
    const core = await bench.start({
      model: scriptedModel([[{ call: { name: "one" } }, { call: { name: "two" } }]]),
      tools: [tool("one"), tool("two")],
    });
    const task = await core.tasks.start({ text: "?" });
    await task.settled();
    await core.tasks.answer(task.id, { answer: "1" });
    await core.tasks.cancel(task.id);
    expect(task.view.state).toBe("canceled");
    const outcomes = (await callsOf(core, task.id)).map((row) => row.outcome);
    expect(outcomes).toHaveLength(2);
    for (const outcome of outcomes) expect(["aborted", "unknown"]).toContain(outcome);
  });

  test("a queued task ends it without running it", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }, { say: "One." }], "Three."]);
    const core = await bench.start({ model });
    const [first, second, third] = await Promise.all(
      ["1", "2", "3"].map((text) => core.tasks.start({ context: "c", text })),
    );
    await core.tasks.cancel(second!.id);
    expect(second!.view).toMatchObject({ state: "canceled", steps: 0 });
    gate.resolve();
    await Promise.all([first!.settled(), third!.settled()]);
    expect([answerText(first!), answerText(third!)]).toEqual(["One.", "Three."]);
    await core.service.runner.idle(600_000);
    expect(core.load()).toEqual({ running: 0, waiting: 0 });
  });

  test("an ended task changes nothing", async () => {
    const core = await bench.start({ model: scriptedModel(["Done."]) });
    const task = await core.tasks.start({ text: "?" });
    const { seq } = await task.settled();
    expect((await core.tasks.cancel(task.id)).view).toMatchObject({ state: "completed", seq });
    await expect(core.tasks.cancel("nobody")).rejects.toBeInstanceOf(TaskError);
  });

  test("twice at the same moment ends it once", async () => {
    const core = await bench.start({ model: scriptedModel([[{ hang: true }]]) });
    const task = await core.tasks.start({ text: "?" });
    await Promise.all([core.tasks.cancel(task.id), core.tasks.cancel(task.id), core.tasks.cancel(task.id)]);
    expect(await eventsOfKind(core, task.id, "task.canceled")).toHaveLength(1);
  });
});

describe("cancelling while something else happens", () => {
  test("the answer that was sent first wins", async () => {
    const held = holdCommit("turn.close:before");
    const core = await bench.start({ model: scriptedModel(["Done."]), failpoints: held.failpoints });
    const task = await core.tasks.start({ text: "?" });
    await held.reached;
    const cancelling = core.tasks.cancel(task.id);
    held.release();
    expect((await cancelling).view.state).toBe("completed");
    expect(answerText(task)).toBe("Done.");
  });

  test("the cancel that was sent first wins", async () => {
    const gate = Promise.withResolvers<void>();
    const held = holdCommit("task.canceled:before");
    const model = scriptedModel([[{ until: gate.promise }, { say: "Late." }]]);
    const core = await bench.start({ model, failpoints: held.failpoints });
    const task = await core.tasks.start({ text: "?" });
    await model.untilCall(1);
    const cancelling = core.tasks.cancel(task.id);
    await held.reached;
    gate.resolve();
    held.release();
    expect((await cancelling).view.state).toBe("canceled");
    expect((await eventsOf(core, task.id)).at(-1)?.event.kind).toBe("task.canceled");
  });

  test("an answer to a prompt that a cancel overtook is rejected as such", async () => {
    const core = await bench.start({
      model: scriptedModel([[{ call: { name: "asks" } }]]),
      tools: [countedTool("asks", { run: ask }).tool],
    });
    const task = await core.tasks.start({ text: "?" });
    await task.settled();
    const [canceled, answered] = await Promise.allSettled([
      core.tasks.cancel(task.id),
      core.service.answer(task.id, { class: "operator", input: textInput("Rome") }),
    ]);
    expect(canceled.status).toBe("fulfilled");
    await task.settled();
    expect(task.view.state).toBe("canceled");
    if (answered.status === "rejected") expect(answered.reason).toBeInstanceOf(TaskError);
    expect((await callsOf(core, task.id)).every((row) => row.outcome !== null)).toBe(true);
  });

  test("a full disk makes it wait, and then it is canceled (TU1)", async () => {
    const clock = manualClock();
    let refused = 0;
    const hit = (name: string): void => {
      if (name === "task.canceled:before" && refused++ < 2) throw new DatabaseError("full", "the disk is full");
    };
    const core = await bench.start({ model: scriptedModel([[{ hang: true }]]), clock, failpoints: { hit } });
    const timers = clock.pending();
    const task = await core.tasks.start({ text: "?" });
    const cancelling = core.tasks.cancel(task.id);
    for (let attempt = 0; attempt < 2; attempt++) {
      await clock.untilPending(timers + 1);
      await clock.advance(1_000);
    }
    expect((await cancelling).view.state).toBe("canceled");
    expect(core.load().running).toBe(0);
  });

  test("a step whose commit waits for the disk keeps its outcomes", async () => {
    const clock = manualClock();
    const refused = Promise.withResolvers<void>();
    const hit = (name: string): void => {
      if (name !== "turn.model-intent:before") return;
      refused.resolve();
      throw new DatabaseError("full", "the disk is full");
    };
    const { tool } = countedTool("write");
    const model = scriptedModel([[{ call: { name: "write" } }]]);
    const core = await bench.start({ model, tools: [tool], clock, failpoints: { hit } });
    const timers = clock.pending();
    const task = await core.tasks.start({ text: "?" });
    await refused.promise;
    await clock.untilPending(timers + 1);
    await core.tasks.cancel(task.id);
    expect(await callsOf(core, task.id)).toMatchObject([{ name: "write", outcome: "ok", result: "write done" }]);
  });

  test("a full disk refuses the cancel of a queued task, which keeps its position", async () => {
    let refuse = true;
    const hit = (name: string): void => {
      if (name === "task.canceled:before" && refuse) throw new DatabaseError("full", "the disk is full");
    };
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }, { say: "One." }], "Two."]);
    const core = await bench.start({ model, failpoints: { hit } });
    const first = await core.tasks.start({ context: "c", text: "1" });
    const second = await core.tasks.start({ context: "c", text: "2" });
    await expect(core.tasks.cancel(second.id)).rejects.toMatchObject({ code: "full" });
    refuse = false;
    gate.resolve();
    await Promise.all([first.settled(), second.settled()]);
    expect(answerText(second)).toBe("Two.");
  });
});

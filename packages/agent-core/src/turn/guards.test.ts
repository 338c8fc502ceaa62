import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, callsOf, coreBench, countedTool, eventsOfKind } from "../core-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { GUARDS, ROUND_CAP } from "./guards.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const callCount = [{ call: { name: "count", args: { of: "sheep" } } }];

test("the guards are asked in the order written down: iterations, rounds, unattended, repetition (R5, R7)", () => {
  expect(GUARDS).toHaveLength(4);
  expect(Object.isFrozen(GUARDS)).toBe(true);
});

test("identical calls with identical results are noted at 3 and end the turn at 6 (R5)", async () => {
  const { tool, runs } = countedTool("count", { effect: "pure" });
  const model = scriptedModel(() => callCount);
  const core = await bench.start({ model, tools: [tool] });
  const task = await core.tasks.start({ text: "?" });
  expect(await task.settled()).toMatchObject({ state: "completed", note: expect.stringContaining("6 times in a row") });
  expect(runs).toHaveLength(6);
  expect(answerText(task)).toContain("same call gave the same result 6 times");
  expect((await eventsOfKind(core, task.id, "guard.noted")).map((event) => event.text.slice(0, 16))).toEqual([
    "The last 3 calls",
    "I stopped becaus",
  ]);
  expect(JSON.stringify(model.calls[3]?.request.messages.at(-1))).toContain("The last 3 calls were identical");
});

test("repetition is noted also when parallel calls step over the third", async () => {
  const { tool } = countedTool("count", { effect: "pure" });
  const model = scriptedModel([[...callCount, ...callCount, ...callCount, ...callCount], callCount, "Enough."]);
  const core = await bench.start({ model, tools: [tool] });
  const task = await core.tasks.start({ text: "?" });
  await task.settled();
  expect(answerText(task)).toBe("Enough.");
  expect(await eventsOfKind(core, task.id, "guard.noted")).toHaveLength(1);
});

test("another result or other arguments begin a new count", async () => {
  let n = 0;
  const { tool, runs } = countedTool("count", { effect: "pure", run: () => ++n });
  const model = scriptedModel((_, count) => (count <= 8 ? callCount : "Done."));
  const core = await bench.start({ model, tools: [tool] });
  const task = await core.tasks.start({ text: "?" });
  await task.settled();
  expect(runs).toHaveLength(8);
  expect(await eventsOfKind(core, task.id, "guard.noted")).toEqual([]);
});

test("a call that is refused again and again counts too", async () => {
  const model = scriptedModel(() => [{ call: { name: "nope" } }]);
  const core = await bench.start({ model });
  const task = await core.tasks.start({ text: "?" });
  expect(await task.settled()).toMatchObject({ state: "completed", steps: 6 });
});

test("a tool round counts as 8 of the turn's iterations", async () => {
  let n = 0;
  const { tool, runs } = countedTool("count", { effect: "pure", run: () => ++n });
  const core = await bench.start({
    model: scriptedModel(() => callCount),
    tools: [tool],
    limits: { maxIterations: 24 },
  });
  expect(await (await core.tasks.start({ text: "?" })).settled()).toMatchObject({
    state: "failed",
    failure: { code: "iteration_limit", message: "The turn reached its limit of 24 steps after 3 tool rounds." },
  });
  expect(runs).toHaveLength(3);
});

test("a task may have fewer tool rounds than the settings allow, and not more", async () => {
  let n = 0;
  const { tool, runs } = countedTool("count", { effect: "pure", run: () => ++n });
  const core = await bench.start({ model: scriptedModel(() => callCount), tools: [tool], limits: { roundHardCap: 3 } });
  const ask = (maxRounds: number) =>
    core.service.start({
      ...{ class: "operator", origin: "embed", options: { maxRounds } },
      input: { messageId: crypto.randomUUID(), parts: [{ kind: "text", text: "?" }] },
    });
  const task = await ask(2);
  expect(await task.settled()).toMatchObject({ state: "completed", note: expect.stringContaining("2 tool rounds") });
  expect(await eventsOfKind(core, task.id, "guard.noted")).toMatchObject([{ guard: ROUND_CAP }]);
  await (await ask(9)).settled();
  expect(runs).toHaveLength(5);
});

test("round_hard_cap ends a turn with a hand-back that the next turn sees", async () => {
  let n = 0;
  const { tool } = countedTool("count", { effect: "pure", run: () => ++n });
  const model = scriptedModel((_, count) => (count <= 2 ? callCount : "Going on."));
  const core = await bench.start({ model, tools: [tool], limits: { roundHardCap: 2 } });
  const task = await core.tasks.start({ context: "c", text: "?" });
  expect(await task.settled()).toMatchObject({ state: "completed", steps: 2 });
  expect(answerText(task)).toContain("I stopped after 2 tool rounds");
  await (await core.tasks.start({ context: "c", text: "go on" })).settled();
  expect(JSON.stringify(model.calls[2]?.request.messages)).toContain("I stopped after 2 tool rounds");
});

test("rounds made before a restart count", async () => {
  const store = bench.newStore();
  let n = 0;
  const { tool } = countedTool("count", { effect: "pure", run: () => ++n });
  const options = { store, tools: [tool], limits: { roundHardCap: 3 }, onRestart: "resume" } as const;
  const hanging = scriptedModel((_, count) => (count <= 2 ? callCount : [{ hang: true }]));
  const first = await bench.start({ ...options, model: hanging });
  const { id } = await first.tasks.start({ text: "?" });
  await hanging.untilCall(3);
  await bench.crash(first);
  const model = scriptedModel(() => callCount);
  const second = await bench.start({ ...options, model });
  const task = (await second.tasks.get(id))!;
  expect(await task.settled()).toMatchObject({ state: "completed" });
  expect(answerText(task)).toContain("I stopped after 3 tool rounds");
  expect(model.calls).toHaveLength(1);
});

test("900 s without a sign of life end the task, naming the tool that was running", async () => {
  const clock = manualClock();
  const { tool, runs } = countedTool("dig", { timeoutMs: null, run: () => new Promise(() => {}) });
  const model = scriptedModel([[{ call: { name: "dig" } }]]);
  const core = await bench.start({ model, tools: [tool], clock });
  const task = await core.tasks.start({ text: "?" });
  const settled = task.settled();
  await model.untilCall(1);
  while (runs.length === 0) await clock.advance(0);
  await clock.advance(899_000);
  expect(task.view.state).toBe("running");
  await clock.advance(6_000);
  expect(await settled).toMatchObject({
    state: "failed",
    failure: { code: "silence", message: "No sign of life for 900 s while dig ran." },
  });
  expect(await callsOf(core, task.id)).toMatchObject([{ name: "dig", outcome: "unknown" }]);
});

test("time spent parked is no silence", async () => {
  const clock = manualClock();
  const { tool } = countedTool("ask", { run: () => ({ type: "park", request: { kind: "question", question: "?" } }) });
  const model = scriptedModel([[{ call: { name: "ask" } }], "Thanks."]);
  const core = await bench.start({ model, tools: [tool], clock });
  const task = await core.tasks.start({ text: "?" });
  await task.settled();
  await clock.advance(3_000_000);
  expect(task.view.state).toBe("parked");
  await core.tasks.answer(task.id, { answer: "yes" });
  expect(await task.settled()).toMatchObject({ state: "completed", parkedMs: 3_000_000, durationMs: 0 });
});

describe("a tool that ends the turn", () => {
  const leave = (run: () => string = () => "left") =>
    countedTool("leave", { effect: "pure", endsTurn: true, run }).tool;

  test.each([
    ["what the model said beside it is the answer", [{ say: "See you." }, { call: { name: "leave" } }], "See you."],
    ["its result is, where the model said nothing", [{ call: { name: "leave" } }], "left"],
  ])("%s, and the model is not asked again", async (_title, turn, answer) => {
    const model = scriptedModel([turn, "Never said."]);
    const core = await bench.start({ model, tools: [leave()] });
    const task = await core.tasks.start({ text: "?" });
    expect(await task.settled()).toMatchObject({ state: "completed", steps: 1 });
    expect([answerText(task), model.calls.length]).toEqual([answer, 1]);
  });

  test("ends none where it failed", async () => {
    const failing = leave(() => {
      throw new Error("the way is shut");
    });
    const model = scriptedModel([[{ call: { name: "leave" } }], "I stay."]);
    const core = await bench.start({ model, tools: [failing] });
    const task = await core.tasks.start({ text: "?" });
    await task.settled();
    expect(answerText(task)).toBe("I stay.");
  });
});

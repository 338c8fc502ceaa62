import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, type BenchOptions, callsOf, coreBench, countedTool, holdCommit, STANDARD } from "../core-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { type ScriptedTurn, scriptedModel } from "../testing/scripted-model.ts";
import { waiting } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const wait = (seconds: number, then: string) => ({ call: { name: "wait", args: { seconds, then } } });

/** A core whose turns do these things, one after another. */
async function started(turns: readonly ScriptedTurn[], more: Partial<BenchOptions> = {}) {
  const clock = manualClock();
  const model = scriptedModel(turns);
  const core = await bench.start({ clock, model, onRestart: "resume", ...more, features: [waiting, ...STANDARD] });
  return { core, clock, model };
}

const lastText = (call: Awaited<ReturnType<ReturnType<typeof scriptedModel>["untilCall"]>>): string => {
  const last = call.request.messages.at(-1);
  return last?.role === "user" && last.content[0]?.kind === "text" ? last.content[0].text : "";
};

test("a wait ends the turn and starts one in the same conversation when its time is over", async () => {
  const { core, clock, model } = await started([[wait(60, "look at the build")], "It is green."]);
  const task = await core.tasks.start({ context: "c", text: "watch the build" });
  expect(await task.settled()).toMatchObject({ state: "completed", steps: 1 });
  expect(answerText(task)).toBe("Waiting until 2026-01-01T00:01:00.000Z, then: look at the build");
  await clock.advance(59_999);
  expect(model.calls).toHaveLength(1);
  await clock.advance(1);
  const call = await model.untilCall(2);
  expect(lastText(call)).toBe("(The 60 s you wanted to wait are over.)\nlook at the build");
  expect(call.request.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  await clock.advance(0);
  expect(core.timers.ofContext({ class: "operator", context: "c" })).toEqual([]);
});

test("the model's text beside the wait is the answer; other calls of the step are made", async () => {
  const { tool, runs } = countedTool("note", {});
  const { core } = await started([[{ say: "I will look again." }, { call: { name: "note" } }, wait(5, "look")]], {
    tools: [tool],
  });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  expect(answerText(task)).toBe("I will look again.");
  expect(runs).toHaveLength(1);
  expect((await callsOf(core, task.id)).map(({ outcome }) => outcome)).toEqual(["ok", "ok"]);
});

test("a wait that is refused does not end the turn", async () => {
  const { core, model } = await started([[wait(0.5, "look")], "Then not."]);
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  expect(answerText(task)).toBe("Then not.");
  expect(model.calls).toHaveLength(2);
});

test("a new wait of a conversation replaces the pending one", async () => {
  const { core, clock, model } = await started([[wait(10, "old")], [wait(30, "new")], "done"]);
  for (const text of ["one", "two"]) await (await core.tasks.start({ context: "c", text })).settled();
  await clock.advance(29_000);
  expect(model.calls).toHaveLength(2);
  await clock.advance(1_000);
  expect(lastText(await model.untilCall(3))).toContain("new");
});

test("the turn ends by its wait also after another call of the step waited for a person", async () => {
  const asks = countedTool("asks", { run: () => park.question("Which build?") }).tool;
  const { core, model } = await started([[wait(60, "look"), { call: { name: "asks" } }]], { tools: [asks] });
  const task = await core.tasks.start({ text: "go" });
  expect((await task.settled()).state).toBe("parked");
  await core.tasks.answer(task.id, { answer: "main" });
  expect((await task.settled()).state).toBe("completed");
  expect(model.calls).toHaveLength(1);
});

test("a kill between the wait and the end of its turn, or amid its firing, loses nothing and fires once (DT1, DT2)", async () => {
  const store = bench.newStore();
  const held = holdCommit("turn.close:before");
  const first = await started([[wait(60, "look")]], { store, failpoints: held.failpoints });
  const task = await first.core.tasks.start({ context: "c", text: "go" });
  await held.reached;
  await bench.crash(first.core);

  const firing = holdCommit("task.accept:before");
  const second = await started(["never asked"], { store, failpoints: firing.failpoints });
  expect((await (await second.core.service.get(task.id))!.ended()).state).toBe("completed");
  expect(second.model.calls).toHaveLength(0);
  await second.clock.advance(60_000);
  await firing.reached;
  await bench.crash(second.core);

  const accepted = holdCommit("task.accept:after");
  const third = await started(["never asked"], { store, failpoints: accepted.failpoints });
  await third.clock.advance(60_000);
  await accepted.reached;
  await bench.crash(third.core);

  const fourth = await started(["seen"], { store });
  expect(lastText(await fourth.model.untilCall(1))).toContain("look");
  await fourth.core.service.runner.idle(1_000);
  await fourth.clock.advance(120_000);
  const tasks = await fourth.core.db.read({ sql: "SELECT origin, state FROM task ORDER BY id", args: [] });
  expect(tasks).toEqual([
    ["embed", "completed"],
    ["schedule", "completed"],
  ]);
});

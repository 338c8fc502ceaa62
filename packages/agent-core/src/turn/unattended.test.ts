import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, callsOf, coreBench, countedTool, textInput } from "../core-bench.ts";
import { askHuman, requestUserInput } from "../general-tools/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { NO_OPERATOR } from "./unattended.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const unattended = { class: "operator", context: "c", origin: "background", options: { unattended: true } } as const;
const ask = { call: { name: "ask_human", args: { question: "Which?" } } };
const form = {
  call: { name: "request_user_input", args: { title: "Fill in", steps: [{ schema: { type: "object" } }] } },
};

test("an unattended turn gets the note that no operator is there three times; the fourth question ends it (R7)", async () => {
  const model = scriptedModel([[ask, form], [ask], [form], [ask]]);
  const core = await bench.start({ model, tools: [askHuman, requestUserInput] });
  const task = await core.service.start({ ...unattended, input: textInput("go") });
  expect(await task.settled()).toMatchObject({ state: "completed", steps: 4, prompts: [] });
  expect(answerText(task)).toContain("I asked for an operator 4 times, and none is there");
  const calls = await callsOf(core, task.id);
  expect(calls).toHaveLength(5);
  for (const { outcome, result } of calls) expect([outcome, result]).toEqual(["error", NO_OPERATOR]);
  expect(await core.db.read({ sql: "SELECT id FROM prompt", args: [] })).toEqual([]);
});

test("it continues after the note; an attended turn parks", async () => {
  const model = scriptedModel([[ask], "I took the first.", [ask]]);
  const core = await bench.start({ model, tools: [askHuman] });
  const task = await core.service.start({ ...unattended, input: textInput("go") });
  expect((await task.settled()).state).toBe("completed");
  expect(answerText(task)).toBe("I took the first.");
  expect(JSON.stringify(model.calls[1]?.request.messages.at(-1))).toContain("No operator is there");
  const watched = await core.service.start({ ...unattended, options: {}, input: textInput("go") });
  expect((await watched.settled()).state).toBe("parked");
});

test("an approval parks it, and the answer lets it continue (R7)", async () => {
  const guarded = countedTool("guarded", { approval: () => ({ title: "Run?", detail: "it" }) });
  const confirm = countedTool("confirm", { run: () => park.approval({ title: "Sure?", detail: "really" }) });
  const model = scriptedModel([[{ call: { name: "guarded" } }, { call: { name: "confirm" } }], "Done."]);
  const core = await bench.start({ model, tools: [guarded.tool, confirm.tool] });
  const task = await core.service.start({ ...unattended, input: textInput("go") });
  expect(await task.settled()).toMatchObject({ state: "parked", prompts: [{ tool: "guarded" }, { tool: "confirm" }] });
  await core.tasks.answer(task.id, { answer: "approve" });
  await core.tasks.answer(task.id, { answer: "approve" });
  expect((await task.settled()).state).toBe("completed");
  expect(guarded.runs).toHaveLength(1);
});

test("what was asked in vain counts on after a restart (R7, A18)", async () => {
  const store = bench.newStore();
  const before = scriptedModel([[ask], [ask], [{ hang: true }]]);
  const dead = await bench.start({ store, model: before, tools: [askHuman], onRestart: "resume" });
  const { id } = await dead.service.start({ ...unattended, input: textInput("go") });
  await before.untilCall(3);
  await bench.crash(dead);
  const model = scriptedModel(() => [ask]);
  const core = await bench.start({ store, model, tools: [askHuman], onRestart: "resume" });
  const task = (await core.tasks.get(id))!;
  expect((await task.settled()).state).toBe("completed");
  expect(answerText(task)).toContain("4 times");
  expect(model.calls).toHaveLength(2);
});

import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, coreBench, countedTool } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

describe("a tool that ends the turn", () => {
  const leave = (run: () => unknown = () => "left") =>
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

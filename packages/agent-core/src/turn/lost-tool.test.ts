import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, call, caller, callsOf, coreBench, countedTool } from "../core-bench.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

test("a call that a crash cut off may have happened, also where its tool is gone (R3)", async () => {
  const begun = Promise.withResolvers<void>();
  const { tool, runs } = countedTool("pay", {
    run: () => {
      begun.resolve();
      return new Promise<string>(() => {});
    },
  });
  const options = {
    store: bench.newStore(),
    model: caller([call("pay", { amount: 1 })]),
    onRestart: "resume",
  } as const;
  const core = await bench.start({ ...options, tools: [tool] });
  const { id } = await core.tasks.start({ text: "go" });
  await begun.promise;
  await bench.crash(core);
  const again = await bench.start({ ...options, tools: [] });
  const task = (await again.tasks.get(id))!;
  await task.settled();
  expect(await callsOf(again, id)).toMatchObject([{ name: "pay", outcome: "unknown" }]);
  expect(answerText(task)).toContain("may have happened. There is no tool named pay any more.");
  expect(runs).toHaveLength(1);
});

import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, countedTool } from "./core-bench.ts";
import { manualClock } from "./testing/manual-clock.ts";
import { scriptedModel } from "./testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

test.each([
  ["without a call", undefined, 2],
  ["with a call of a pure tool", "pure", 3],
  ["with a call that has an effect", "effect", 4],
] as const)(
  "a turn %s takes as many commits as docs/architecture.md states (EN5, EN8)",
  async (_what, effect, commits) => {
    const names: string[] = [];
    const hit = (name: string): void => void names.push(name);
    const { tool } = countedTool("act", { effect: effect ?? "pure" });
    const steps = effect === undefined ? ["Done."] : [[{ call: { name: "act" } }], "Done."];
    const clock = manualClock(); // A pure call that outlasts 10 ms takes a commit more.
    const core = await bench.start({ model: scriptedModel(steps), tools: [tool], clock, failpoints: { hit } });
    await (await core.tasks.start({ text: "?" })).settled();
    expect(names.filter((name) => name.endsWith(":after"))).toHaveLength(commits);
  },
);

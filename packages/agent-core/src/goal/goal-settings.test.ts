import * as v from "valibot";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench } from "../core-bench.ts";
import { goalScene } from "../goal-bench.ts";
import { GOAL_LIMITS } from "./goal.ts";
import { goalSection } from "./goal-section.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

test("a goal that names no bounds has those of the settings: max_iterations, no_progress_limit", async () => {
  const here = await goalScene(bench, { settings: { max_iterations: 5, no_progress_limit: 2 } });
  await here.set();
  await expect.poll(async () => (await here.goal()).status).toBe("unachievable");
  expect(await here.goal()).toMatchObject({
    spec: { noProgressLimit: 2 },
    state: { maxIterations: 5, iteration: 2, streak: 2 },
  });
});

test("a check that names no time is ended after verify_timeout, and came to no verdict", async () => {
  const here = await goalScene(bench, { settings: { verify_timeout: 7 } });
  here.hold();
  await here.set();
  await expect.poll(() => here.checks()).toBe(1);
  await here.clock.advance(7_000);
  await expect.poll(async () => (await here.goal()).state.failures).toBe(1);
  const [failed] = await here.goals.timeline("s", { limit: 1 });
  expect(failed).toMatchObject({ kind: "verification_failed", reason: expect.stringContaining("7 s") });
});

test("eval_model is the judge's model", async () => {
  const here = await goalScene(bench, { settings: { eval_model: "judge:large" } });
  await here.set({ verifier: "llm" });
  await expect.poll(async () => (await here.goal()).state.failures).toBe(1);
  const [row] = await here.core.db.read({ sql: "SELECT options FROM task WHERE origin = 'auxiliary'", args: [] });
  expect(JSON.parse(String(row?.[0]))).toMatchObject({ model: "judge:large" });
});

test("turns of a conversation are shown its goal and plan, once while they stay the same, and no peer is (G26)", async () => {
  const here = await goalScene(bench);
  await here.set({ condition: "Ship the cart" }, { kind: "later" });
  Object.assign(here.found, { fails: true });
  await here.goals.plan("s", "1. Mend it", { outside: false });
  await here.say("hello");
  const shown = JSON.stringify(here.model.calls[0]?.request.messages);
  for (const part of ["The goal of this conversation", "Ship the cart", "Plan: 1. Mend it"])
    expect(shown).toContain(part);
  await here.say("elsewhere", "other");
  expect(JSON.stringify(here.model.calls.at(-1)?.request.messages)).not.toContain("Ship the cart");
});

test("the settings have the documented defaults, and bounds", () => {
  const { schema } = goalSection;
  expect(v.parse(schema, {})).toEqual({
    ...{ enabled: true, max_iterations: 8, no_progress_limit: 3, eval_model: "", verify_timeout: 120 },
    max_rounds_per_turn: 50,
  });
  for (const wrong of [
    { max_iterations: GOAL_LIMITS.iterations + 1 },
    { no_progress_limit: 0 },
    { verify_timeout: 3_601 },
    { max_rounds_per_turn: -1 },
  ])
    expect(v.is(schema, wrong)).toBe(false);
});

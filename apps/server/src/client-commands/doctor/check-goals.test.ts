import { expect, it } from "vitest";
import { goalFindings, type KnownGoal } from "./check-goals.ts";

const goal = (session_id: string, more: Partial<KnownGoal> = {}): KnownGoal => ({
  ...{ session_id, status: "active", paused: null, last_reason: "" },
  ...more,
});

it("names goals that failures paused, and what to do, but none that is paused as it should be", () => {
  expect(goalFindings(true, [goal("a", { status: "unachievable", paused: null })])).toEqual([]);
  const paused = (["kick", "round_cap", "handed_off", "canceled"] as const).map((why) => goal(why, { paused: why }));
  expect(goalFindings(true, [goal("a"), ...paused]).map(({ state, text }) => [state, text])).toEqual([
    ["ok", "5 active"],
  ]);
  const failed = (["turn_failed", "verifier_failed", "interrupted", "off"] as const).map((why) =>
    goal("b", { paused: why }),
  );
  const [, ...found] = goalFindings(true, failed);
  expect(found.map(({ state, text }) => [state, text])).toEqual([
    ["warning", "the goal of b is paused: a turn failed, and is not tried again"],
    ["warning", "the goal of b is paused: its check failed, and is not tried again"],
    ["warning", "the goal of b is paused: restarts interrupted it again and again"],
    ["warning", "the goal of b is paused: goals were switched off"],
  ]);
  for (const { remedy } of found) expect(remedy).toContain("agent-service goals resume b");
});

it("says once that goals are switched off, whatever paused them", () => {
  const found = goalFindings(false, [goal("a"), goal("b", { paused: "off" })]);
  expect(found).toMatchObject([{ state: "warning", text: "2 active, and goals are switched off" }]);
  expect(found[0]?.remedy).toContain("goal.enabled");
});

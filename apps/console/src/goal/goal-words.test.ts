import { expect, test } from "vitest";
import { type Goal, goalBadge, pauseOf, standing, tamperedFile } from "./goal-words.ts";

const goal = {
  ...{ status: "active", phase: "driving", paused: null, retry_at: null, iteration: 2, max_iterations: 8 },
  abandon_reason: "",
} as Goal;
const paused = (why: Goal["paused"]): Goal => ({ ...goal, phase: "paused", paused: why });

test("a goal is named with how it stands", () => {
  expect(goalBadge(goal).label).toBe("Working");
  expect(goalBadge({ ...goal, phase: "verifying" }).label).toBe("Checking");
  expect(goalBadge({ ...goal, retry_at: "2026-11-28T08:00:00Z" })).toEqual({ state: "failed", label: "Failing" });
  for (const why of ["turn_failed", "verifier_failed", "interrupted"] as const)
    expect(goalBadge(paused(why))).toEqual({ state: "failed", label: "Paused, failed" });
  expect(goalBadge(paused("round_cap")).state).toBe("waiting");
  expect(goalBadge(paused("handed_off")).state).toBe("queued");
  expect(goalBadge({ ...goal, status: "met", phase: "ended" }).label).toBe("Met");
  expect(goalBadge({ ...goal, status: "unachievable", phase: "ended" }).label).toBe("Given up");
});

test("a pause says why, and what goes on", () => {
  expect(pauseOf(goal)).toBeUndefined();
  expect(standing(paused("handed_off"))).toBe(
    "The agent left it to a wait, a schedule or a watch. It goes on once that fires, or with Resume.",
  );
  expect(standing({ ...goal, status: "exhausted" })).toBe("2 times a check found it not met. Rearm it to go on.");
  expect(standing({ ...goal, status: "unachievable", abandon_reason: "no key" })).toBe(
    "The agent gave up: no key. Rearm it to go on.",
  );
  const stuck: Goal = { ...goal, status: "unachievable", no_progress_streak: 3, no_progress_limit: 3 };
  expect(standing(stuck)).toBe("Its checks found no progress. Rearm it to go on.");
  expect(standing({ ...stuck, no_progress_streak: 1 })).toContain("What it was to be given up for has come.");
});

test("a verdict of a changed pinned file names the file", () => {
  expect(tamperedFile("tampered: cart.test.mjs")).toBe("cart.test.mjs");
  expect(tamperedFile("It was not tampered: no")).toBeUndefined();
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { TaskLook } from "../trigger/index.ts";
import { dueGoals } from "./due-goals.ts";
import { GOAL_LIMITS, type Goal, type GoalState, UNDRIVEN } from "./goal.ts";
import type { HeldGoal } from "./held-goals.ts";

const pauses = ["kick", "round_cap", "handed_off", "turn_failed", "off", undefined] as const;
const state: fc.Arbitrary<GoalState> = fc
  .record({
    paused: fc.constantFrom(...pauses),
    drive: fc.option(fc.constantFrom("d1", "d2"), { nil: undefined }),
    verify: fc.option(fc.constantFrom("v1", "v2"), { nil: undefined }),
    next: fc.constantFrom("drive" as const, "verify" as const),
    retryAt: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
  })
  .map((more) => ({ ...UNDRIVEN, maxIterations: 8, ...more }));
const held = fc.record({ state, completed: fc.boolean() }).map<HeldGoal>(({ state: of, completed }) => ({
  goal: { state: of, status: "active" } as Goal,
  completed: completed ? { task: "t", at: 1 } : undefined,
}));
const looks = fc.dictionary(
  fc.constantFrom("d1", "d2", "v1", "v2"),
  fc.constantFrom("queued", "running", "parked", "completed", "failed", "canceled"),
);

test("of each goal at most one thing is due, never beside what is open, and nothing of a paused one but a check (TR2)", () => {
  fc.assert(
    fc.property(fc.array(held, { maxLength: 12 }), looks, fc.nat(100), fc.boolean(), (goals, states, now, isOn) => {
      const look = (task: string): TaskLook | undefined =>
        states[task] === undefined ? undefined : { state: states[task], interrupted: false };
      const { steps, at } = dueGoals(goals, look, { now, isOn });
      expect(new Set(steps.map((step) => step.held)).size).toBe(steps.length);
      const open = goals.filter(({ goal }) => goal.state.verify !== undefined).length;
      expect(steps.filter(({ kind }) => kind === "verify").length).toBeLessThanOrEqual(
        Math.max(0, GOAL_LIMITS.checks - open),
      );
      for (const { kind, held: of } of steps) {
        const { verify, drive, paused, retryAt } = of.goal.state;
        const current = verify ?? drive;
        const ended = current === undefined || !["queued", "running", "parked"].includes(states[current] ?? "");
        expect(ended).toBe(true);
        if (verify !== undefined) expect(kind).toBe("verdict");
        else if (drive !== undefined) expect(kind).toBe("driven");
        else {
          expect(kind).not.toBe("driven");
          if (!isOn) expect(kind).toBe("off");
          if (paused !== undefined) expect([kind, of.completed !== undefined]).toEqual(["verify", true]);
          if (kind === "drive") expect(retryAt === undefined || retryAt <= now).toBe(true);
        }
      }
      if (at !== undefined) expect(at).toBeGreaterThan(now);
    }),
  );
});

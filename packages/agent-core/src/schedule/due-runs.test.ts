import fc from "fast-check";
import { expect, test } from "vitest";
import { isTerminalState } from "../event/index.ts";
import type { TaskLook } from "../trigger/index.ts";
import { dueRuns, type OpenRun } from "./due-runs.ts";
import { JOB_LIMITS } from "./scheduled-job.ts";

const OVERDUE_MS = 1_000;
const JOBS = ["a", "b"] as const;

type Happening =
  | { readonly kind: "slot"; readonly job: (typeof JOBS)[number]; readonly in: number; readonly remote: boolean }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "restart" }
  | { readonly kind: "becomes"; readonly which: number; readonly state: TaskLook["state"] | "deleted" };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    kind: fc.constant("slot" as const),
    job: fc.constantFrom(...JOBS),
    in: fc.integer({ min: -100, max: 2_000 }),
    remote: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 1_500 }) }),
  fc.constant({ kind: "restart" } as const),
  fc.record({
    kind: fc.constant("becomes" as const),
    which: fc.nat(20),
    state: fc.constantFrom("queued", "running", "parked", "completed", "failed", "canceled", "deleted" as const),
  }),
);

test("runs begin when they are due and never beside more than may be, end once, and are overdue once, in any order of ends, parks and restarts (CR1)", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 50 }), fc.boolean(), (happenings, shuffles) => {
      let now = 10_000;
      let rows: OpenRun[] = [];
      const tasks = new Map<string, TaskLook>();
      const ended = new Set<number>();
      let slots = 0;
      const settle = (): void => {
        for (let round = 0; ; round++) {
          expect(round).toBeLessThan(100);
          const asked = shuffles ? rows.toReversed() : rows;
          const { steps, at } = dueRuns(asked, (id) => tasks.get(id), { now, overdueMs: OVERDUE_MS });
          if (at !== undefined) expect(at).toBeGreaterThan(now);
          if (steps.length === 0) return;
          for (const { kind, run } of steps) {
            if (kind === "start") {
              expect([run.startedAt, run.dueAt <= now]).toEqual([undefined, true]);
              run.startedAt = now;
              if (run.remote) continue;
              run.task = `t${run.slot}`;
              tasks.set(run.task, { state: "running", interrupted: false } as TaskLook);
            } else if (kind === "end") {
              const seen = tasks.get(run.task!);
              expect(seen === undefined || isTerminalState(seen.state)).toBe(true);
              expect(ended.has(run.slot)).toBe(false);
              ended.add(run.slot);
              rows = rows.filter((row) => row !== run);
            } else {
              expect([run.overdue, now - run.startedAt! >= OVERDUE_MS]).toEqual([false, true]);
              run.overdue = true;
            }
          }
        }
      };
      for (const one of happenings) {
        if (one.kind === "slot")
          rows.push({
            ...{ job: one.job, slot: slots++, attempt: 1, dueAt: now + one.in, beside: one.job === "b" },
            ...{ startedAt: undefined, task: undefined, remote: one.remote, notes: undefined, overdue: false },
          });
        else if (one.kind === "pass") now += one.ms;
        else if (one.kind === "restart") {
          rows = rows.map((row) => ({ ...row, overdue: false }));
          for (const [id, { state }] of tasks)
            if (!isTerminalState(state) && state !== "parked")
              tasks.set(id, { state: "failed", interrupted: true } as TaskLook);
        } else {
          const known = [...tasks.keys()];
          const id = known[one.which % Math.max(1, known.length)];
          const isOver = id === undefined || isTerminalState(tasks.get(id)!.state);
          if (!isOver && one.state === "deleted") tasks.delete(id);
          else if (!isOver) tasks.set(id, { state: one.state, interrupted: false } as TaskLook);
        }
        settle();
        for (const job of JOBS) {
          const open = rows.filter((row) => row.job === job && row.startedAt !== undefined);
          expect(open.length).toBeLessThanOrEqual(job === "b" ? JOB_LIMITS.openRuns : 1);
          // None waits that might begin.
          const waiting = rows.filter((row) => row.job === job && row.startedAt === undefined && row.dueAt <= now);
          if (waiting.length > 0) expect(open.length).toBe(job === "b" ? JOB_LIMITS.openRuns : 1);
        }
      }
      expect(ended.size + rows.length).toBe(slots);
    }),
    { numRuns: 500 },
  );
});

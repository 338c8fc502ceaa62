import { expect, it } from "vitest";
import { type KnownJob, scheduleFindings } from "./check-schedules.ts";

const job = (id: string, more: Partial<KnownJob> = {}): KnownJob => ({
  ...{ id, enabled: true, pause_reason: null, failures: 0, overdue: false },
  ...more,
});

it("names jobs that fail, are paused or take long, and that schedules are off", () => {
  expect(scheduleFindings(true, [])).toEqual([]);
  const paused = job("b", { enabled: false, pause_reason: "failing", failures: 5 });
  const found = scheduleFindings(true, [job("a"), paused, job("c", { failures: 1 }), job("d", { overdue: true })]);
  expect(found.map(({ state, text }) => [state, text])).toEqual([
    ["ok", "4 jobs, 3 on"],
    ["warning", "b is paused: 5 slots failed"],
    ["warning", "the last slot of c failed"],
    ["warning", "a run of d takes longer than expected"],
  ]);
  expect(scheduleFindings(false, [job("a")])).toMatchObject([{ state: "warning", remedy: expect.any(String) }]);
});

import { expect, test } from "vitest";
import { jobDuration, jobState } from "./job-state.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString();

test("a job that waits for a free slot is queued, not working", () => {
  expect(jobState({ status: "running", started_at: null, waiting: false })).toBe("queued");
  expect(jobState({ status: "running", started_at: at(1), waiting: false })).toBe("working");
  expect(jobState({ status: "canceled", started_at: null, waiting: false })).toBe("canceled");
});

test("a job that waits for a person says so", () => {
  expect(jobState({ status: "running", started_at: at(1), waiting: true })).toBe("waiting");
  expect(jobState({ status: "completed", started_at: at(1), waiting: false })).toBe("completed");
});

test("a job's time is from its begin to its end, and unknown before", () => {
  const job = {
    waiting: false,
    status: "completed",
    created_at: at(0),
    started_at: at(2),
    completed_at: at(5),
  } as const;
  expect(jobDuration(job)).toBe(3_000);
  expect(jobDuration({ ...job, completed_at: null })).toBeUndefined();
  expect(jobDuration({ ...job, status: "canceled", started_at: null, waiting: false })).toBeUndefined();
});

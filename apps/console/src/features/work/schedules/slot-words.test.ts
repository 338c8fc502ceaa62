import { expect, test } from "vitest";
import { jobBadge, runBadge, runReason, type ScheduledJob, type SlotRun } from "./slot-words.ts";

const run: SlotRun = {
  ...{ slot: "2027-01-01T07:00:00.000Z", attempt: 1, state: "completed", reason: null, task_id: null },
  ...{ due_at: "", started_at: "2027-01-01T07:00:00.000Z", ended_at: null, upto: null, missed: null },
};
const job = { enabled: true, pause_reason: null, overdue: false, kind: "cron", last_run: null } as ScheduledJob;

test("a slot is named with what became of it, and why", () => {
  expect(runBadge(run)).toEqual({ state: "completed", label: "Completed" });
  expect(runBadge({ ...run, state: "running" }).label).toBe("Running");
  expect(runBadge({ ...run, state: "running", started_at: null }).label).toBe("Waits");
  expect(runReason(run)).toBeUndefined();
  expect(runReason({ ...run, state: "skipped", reason: "nothing to do" })).toBe("Its check found nothing to do");
  expect(runReason({ ...run, state: "failed", reason: "the model is down" })).toBe("the model is down");
  expect(runReason({ ...run, state: "missed", missed: 1, reason: "off" })).toBe("Once. It was switched off.");
  const many = { ...run, state: "missed", missed: 1000, upto: "2027-01-02T07:00:00.000Z" } as const;
  expect(runReason(many)).toMatch(/^At least 1,000 times, until .+\. The service was not running\.$/);
});

test("a job is named with what keeps it from running", () => {
  expect(jobBadge(job).label).toBe("On");
  expect(jobBadge({ ...job, enabled: false }).label).toBe("Paused");
  expect(jobBadge({ ...job, enabled: false, pause_reason: "failing" }).label).toBe("Paused: it fails");
  expect(jobBadge({ ...job, overdue: true }).label).toBe("Takes long");
  expect(jobBadge({ ...job, enabled: false, kind: "once", last_run: run }).label).toBe("Done");
  expect(jobBadge({ ...job, last_run: { ...run, state: "running" } }).label).toBe("Running");
});

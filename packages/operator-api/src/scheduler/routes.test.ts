import { expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { askRoutes } from "../testing/index.ts";
import { type SchedulerService, schedulerRoutes } from "./routes.ts";
import type { ScheduledJobRow, SlotRunRow } from "./schema.ts";

const RUN: SlotRunRow = {
  ...{ slot: "2027-01-01T07:00:00.000Z", attempt: 1, state: "completed", reason: null, task_id: "t" },
  ...{ due_at: "2027-01-01T07:00:00.000Z", started_at: null, ended_at: null, upto: null, missed: null },
};
const job = (id: string): ScheduledJobRow => ({
  ...{ id, prompt: "look", schedule: "0 7 * * *", kind: "cron", timezone: "UTC", words: "At 07:00", enabled: true },
  ...{ pause_reason: null, agent_name: "agent", context_id: `schedule:${id}`, fresh: true, overlap: "skip" },
  ...{
    catch_up_s: 86_400,
    jitter_s: 0,
    retries: 2,
    only_if: null,
    created_by: "operator",
    created_at: "",
    updated_at: "",
  },
  ...{ next_fire: null, last_fire: null, last_run: RUN, failures: 0, overdue: false, workflow: null, budget: null },
});

function asking(service: Partial<SchedulerService>) {
  const never = (): never => {
    throw new Error("not asked");
  };
  const base: SchedulerService = {
    ...{ enabled: () => true, list: never, read: never, create: never, edit: never, remove: never, runs: never },
    ...{ run: never, preview: never, calendar: never, now: () => 1_000_000 },
    refuseRange() {
      throw new Problem(400, "Too long.");
    },
  };
  return askRoutes(schedulerRoutes({ ...base, ...service }));
}

it("pages jobs by when they are due, and says whether schedules are on", async () => {
  const asked: unknown[] = [];
  const ask = asking({
    enabled: () => false,
    list(page) {
      asked.push(page);
      return [{ row: job("a"), position: { due: 7, id: "a" } }];
    },
  });
  const { body } = await ask("GET", "/api/scheduler/jobs?limit=1");
  expect(body).toMatchObject({ enabled: false, backend: null, jobs: [{ id: "a" }], next_cursor: expect.any(String) });
  await ask("GET", `/api/scheduler/jobs?cursor=${String((body as { next_cursor: string }).next_cursor)}`);
  expect(asked).toEqual([
    { limit: 1, after: undefined },
    { limit: 100, after: { due: 7, id: "a" } },
  ]);
});

it("a calendar is a week by default and 92 days at most", async () => {
  const asked: unknown[] = [];
  const ask = asking({
    async calendar(range) {
      asked.push(range);
      return { entries: [], truncated: false };
    },
  });
  await ask("GET", "/api/scheduler/calendar");
  expect(asked).toEqual([{ from: 1_000_000, to: 1_000_000 + 7 * 86_400_000 }]);
  expect((await ask("GET", "/api/scheduler/calendar?from=0&to=8000000")).status).toBe(400);
  expect((await ask("GET", "/api/scheduler/calendar?from=10&to=10")).status).toBe(400);
});

it("what is not built is refused in bodies, and what is left out is not sent on", async () => {
  const asked: object[] = [];
  const ask = asking({
    async edit(_id, change) {
      asked.push(change);
      return job("a");
    },
  });
  for (const body of [{ workflow: { name: "w" } }, { budget: { usd: 1 } }, { retries: 6 }, { overlap: "wait" }, []])
    expect((await ask("PUT", "/api/scheduler/jobs/a", body)).status).toBe(422);
  expect((await ask("PUT", "/api/scheduler/jobs/a", { enabled: false })).status).toBe(200);
  expect(asked).toEqual([{ enabled: false }]);
});

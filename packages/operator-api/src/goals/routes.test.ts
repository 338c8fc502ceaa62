import { expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { askRoutes } from "../testing/index.ts";
import { type GoalsService, goalRoutes } from "./routes.ts";
import type { GoalRow } from "./schema.ts";

const row = (id: string): GoalRow => ({
  ...{ id, session_id: "s", condition: "It is out", verifier: { type: "llm" }, project: null, outcome: "" },
  ...{ constraints: [], boundaries: [], stop_when: "", status: "active", phase: "driving", paused: null },
  ...{ fresh_context: false, abandon_reason: "", iteration: 0, max_iterations: 8, no_progress_limit: 3 },
  ...{ no_progress_streak: 0, last_progress_signature: "", last_reason: "", last_evidence: "", drive_task_id: null },
  ...{ verify_task_id: null, retry_at: null, plan: "1. Begin", budget: null, spent: { usd: null, tokens: 0 } },
  ...{ history: [], created_by: "operator", started_at: "", finished_at: null },
});

function asking(service: Partial<GoalsService>) {
  const never = (): never => {
    throw new Error("not asked");
  };
  const base: GoalsService = {
    ...{ enabled: () => true, list: never, read: never, set: never, timeline: never, rearm: never, resume: never },
    clear: never,
  };
  return askRoutes(goalRoutes({ ...base, ...service }));
}

it("pages goals by when they were set, of one status where that is asked", async () => {
  const asked: unknown[] = [];
  const ask = asking({
    async list(page) {
      asked.push(page);
      return [{ row: row("a"), position: { at: 7, id: "a" } }];
    },
  });
  const { body } = await ask("GET", "/api/goals?limit=1&status=met");
  expect(body).toMatchObject({ enabled: true, goals: [{ id: "a" }], next_cursor: expect.any(String) });
  await ask("GET", `/api/goals?cursor=${String((body as { next_cursor: string }).next_cursor)}`);
  expect(asked).toEqual([
    { limit: 1, after: undefined, status: "met" },
    { limit: 100, after: { at: 7, id: "a" }, status: undefined },
  ]);
  expect((await ask("GET", "/api/goals?status=won")).status).toBe(422);
});

it("answers a session without a goal with null, and one with its plan", async () => {
  const ask = asking({ read: async (session) => (session === "s" ? row("a") : undefined) });
  expect((await ask("GET", "/api/goals/none")).body).toEqual({ enabled: true, goal: null, plan: "" });
  expect((await ask("GET", "/api/goals/s")).body).toMatchObject({ goal: { id: "a" }, plan: "1. Begin" });
});

it("leaves a missing condition to the service, and refuses what does not fit before it", async () => {
  const ask = asking({
    async set({ condition }) {
      if (condition === undefined) throw new Problem(400, "A goal has a condition.");
      return { message: "Set.", kicked: true, goal: row("a") };
    },
  });
  const body = { session_id: "s", condition: "c" };
  expect((await ask("POST", "/api/goals", { session_id: "s" })).status).toBe(400);
  for (const wrong of [
    { max_iterations: 0 },
    { no_progress_limit: 101 },
    { constraints: [""] },
    { budget: { usd: 1 } },
  ])
    expect((await ask("POST", "/api/goals", { ...body, ...wrong })).status).toBe(422);
  expect((await ask("POST", "/api/goals", body)).body).toMatchObject({ ok: true, kicked: true, goal: { id: "a" } });
});

it("closes the session's issues only where that is asked", async () => {
  const asked: unknown[] = [];
  const ask = asking({
    async clear(_session, options) {
      asked.push(options);
      return { cleared: true, tasks_closed: 0 };
    },
  });
  await ask("DELETE", "/api/goals/s");
  await ask("DELETE", "/api/goals/s?close_tasks=true");
  expect(asked).toEqual([{ closeTasks: false }, { closeTasks: true }]);
});

import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type BackgroundService, backgroundRoutes } from "./routes.ts";
import type { JobRow } from "./schema.ts";

const ID = "bg-0123456789ab";
const JOB: JobRow = {
  ...{
    id: ID,
    agent_name: "agent",
    origin_session: "s",
    subagent_type: "researcher",
    description: "look",
    status: "running",
  },
  ...{
    result: null,
    result_truncated: false,
    notified: false,
    created_at: "2026-01-02T00:00:00.000Z",
    started_at: null,
  },
  ...{ completed_at: null, a2a_task_id: null, origin_task_id: "t", delivery_task_id: null, origin_incognito: false },
  ...{ waiting: false, batch_id: "t", dismissed: false, deterministic: false },
};

const asked: unknown[] = [];
const service: BackgroundService = {
  enabled: () => true,
  async list(filter) {
    asked.push(filter);
    return [{ row: JOB, position: { createdAt: 7, id: ID } }].slice(0, filter.limit);
  },
  read: async (id) => (id === ID ? JOB : undefined),
  cancel: async (id) => (id === ID ? { ok: asked.length === 0, status: "canceled" } : undefined),
  clear: async (session) => (session === undefined ? 3 : 1),
  delete: async (id) => (id === ID ? "running" : id.endsWith("0") ? "deleted" : "unknown"),
};

const ask = askRoutes(backgroundRoutes(service));
async function call(method: string, path: string, sent?: object) {
  const { status, body } = await ask(method, `/api/background${path}`, sent);
  return { status, body: body as Record<string, unknown> };
}

it("lists pages by session and status, 100 rows by default, 500 at most; a status beyond the four is 400", async () => {
  expect((await call("GET", "")).body).toEqual({ enabled: true, jobs: [JOB], next_cursor: null });
  const page = await call("GET", "?limit=1&status=failed&session=s");
  expect(page.body).toMatchObject({ jobs: [{ id: ID }], next_cursor: expect.any(String) });
  await call("GET", `?limit=999&cursor=${String(page.body.next_cursor)}`);
  expect(asked).toEqual([
    { limit: 100, status: undefined, session: undefined, before: undefined },
    { limit: 1, status: "failed", session: "s", before: undefined },
    { limit: 500, status: undefined, session: undefined, before: { createdAt: 7, id: ID } },
  ]);
  expect((await call("GET", "?status=waiting")).status).toBe(400);
});

it.each([
  ["GET", ""],
  ["POST", "/cancel"],
  ["DELETE", ""],
])("%s of a job%s refuses what is no id with 400, and an unknown one with 404", async (method, action) => {
  for (const id of ["x", "bg-0123456789", "bg-0123456789AB", `${ID}0`])
    expect((await call(method, `/${id}${action}`)).status).toBe(400);
  expect((await call(method, `/bg-ffffffffffff${action}`)).status).toBe(404);
});

it("returns a row, the results of a cancel and a clear, and deletes only what has ended", async () => {
  expect(await call("GET", `/${ID}`)).toEqual({ status: 200, body: JOB });
  expect((await call("POST", `/${ID}/cancel`)).body).toEqual({
    ok: false,
    status: "canceled",
    detail: "The job is canceled already.",
  });
  expect((await call("POST", "/clear", {})).body).toEqual({ ok: true, cleared: 3 });
  expect((await call("POST", "/clear", { session: "s" })).body).toEqual({ ok: true, cleared: 1 });
  expect((await call("DELETE", `/${ID}`)).status).toBe(409);
  expect((await call("DELETE", "/bg-000000000000")).body).toEqual({ ok: true, deleted: true });
});

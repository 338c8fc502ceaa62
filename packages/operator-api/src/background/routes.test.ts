import { expect, it } from "vitest";
import { mountRoute } from "../route/index.ts";
import { type BackgroundService, backgroundRoutes, type JobRow } from "./index.ts";

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
  ...{ batch_id: "t", dismissed: false, deterministic: false },
};

const asked: unknown[] = [];
const service: BackgroundService = {
  enabled: () => true,
  async list(filter) {
    asked.push(filter);
    return [{ row: JOB, place: { createdAt: 7, id: ID } }].slice(0, filter.limit);
  },
  read: async (id) => (id === ID ? JOB : undefined),
  cancel: async (id) => (id === ID ? { ok: asked.length === 0, status: "canceled" } : undefined),
  clear: async (session) => (session === undefined ? 3 : 1),
  delete: async (id) => (id === ID ? "running" : id.endsWith("0") ? "deleted" : "unknown"),
};

async function call(name: string, id = "", { query = "", body }: { query?: string; body?: object } = {}) {
  const misfits: string[] = [];
  const ports = {
    readJson: (text: string) => ({ ok: true, value: JSON.parse(text) as unknown }) as const,
    redact: (text: string) => text,
    onMisfit: (misfit: string) => void misfits.push(misfit),
  };
  const served = backgroundRoutes(service).find(({ definition }) => definition.name === `background.${name}`)!;
  const row = mountRoute(served, ports);
  const headers = { "content-type": "application/json" };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const request = new Request(`http://localhost/${query}`, { method: served.definition.method, ...sent });
  const response = await row.handle({ request, caller: "operator", param: () => id });
  expect(misfits).toEqual([]);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

it("lists pages by session and status, 100 rows unless told, 500 at most; a status beyond the four is 400", async () => {
  expect((await call("list")).body).toEqual({ enabled: true, jobs: [JOB], next_cursor: null });
  const page = await call("list", "", { query: "?limit=1&status=failed&session=s" });
  expect(page.body).toMatchObject({ jobs: [{ id: ID }], next_cursor: expect.any(String) });
  await call("list", "", { query: `?limit=999&cursor=${String(page.body.next_cursor)}` });
  expect(asked).toEqual([
    { limit: 100, status: undefined, session: undefined, before: undefined },
    { limit: 1, status: "failed", session: "s", before: undefined },
    { limit: 500, status: undefined, session: undefined, before: { createdAt: 7, id: ID } },
  ]);
  expect((await call("list", "", { query: "?status=waiting" })).status).toBe(400);
});

it.each(["read", "cancel", "delete"])(
  "%s refuses what is no id of a job with 400, and an unknown one with 404",
  async (name) => {
    for (const id of ["x", "bg-0123456789", "bg-0123456789AB", `${ID}0`])
      expect((await call(name, id)).status).toBe(400);
    expect((await call(name, "bg-ffffffffffff")).status).toBe(404);
  },
);

it("tells a row, what a cancel and a clear came to, and deletes only what has ended", async () => {
  expect(await call("read", ID)).toEqual({ status: 200, body: JOB });
  expect((await call("cancel", ID)).body).toEqual({
    ok: false,
    status: "canceled",
    detail: "The job is canceled already.",
  });
  expect((await call("clear", "", { body: {} })).body).toEqual({ ok: true, cleared: 3 });
  expect((await call("clear", "", { body: { session: "s" } })).body).toEqual({ ok: true, cleared: 1 });
  expect((await call("delete", ID)).status).toBe(409);
  expect((await call("delete", "bg-000000000000")).body).toEqual({ ok: true, deleted: true });
});

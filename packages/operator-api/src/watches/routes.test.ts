import { expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { askRoutes } from "../testing/index.ts";
import { type WatchesService, watchRoutes } from "./routes.ts";
import type { WatchRow } from "./schema.ts";

const row = (id: string): WatchRow => ({
  ...{ id, condition: "It is out", status: "active", check: "core:url", check_args: {}, verifier: {}, project: null },
  ...{ trigger: "met", on_change: false, repeat: false, run_prompt: null, run_session: "s", interval_s: null },
  ...{ expires_in_s: null, deadline: null, expires_at: null, stall_after: null, was_met: false, check_count: 0 },
  ...{ fire_count: 0, consecutive_fires: 0, flap_warned: false, flapping: false, suppressed: 0, pending: 0 },
  ...{ reaction_task_id: null, errors: 0, last_checked: null, last_reason: "", last_evidence: "", stall_streak: 0 },
  ...{ stalled_notified: false, next_check_at: null, created_by: "operator", created_at: "", finished_at: null },
});

function asking(service: Partial<WatchesService>) {
  const never = (): never => {
    throw new Error("not asked");
  };
  const base: WatchesService = {
    ...{ enabled: () => true, poller: () => true, list: never, read: never, create: never, edit: never, clear: never },
    ...{ fires: never, check: never, verifiers: never },
  };
  return askRoutes(watchRoutes({ ...base, ...service }));
}

it("pages watches by when they were made, and says what is switched off", async () => {
  const asked: unknown[] = [];
  const ask = asking({
    poller: () => false,
    list(page) {
      asked.push(page);
      return [{ row: row("a"), position: { at: 7, id: "a" } }];
    },
  });
  const { body } = await ask("GET", "/api/watches?limit=1");
  expect(body).toMatchObject({ enabled: true, poller: false, watches: [{ id: "a" }], next_cursor: expect.any(String) });
  await ask("GET", `/api/watches?cursor=${String((body as { next_cursor: string }).next_cursor)}`);
  expect(asked).toEqual([
    { limit: 1, after: undefined },
    { limit: 100, after: { at: 7, id: "a" } },
  ]);
});

it("sends on what a change names, null included, and refuses what does not fit", async () => {
  const asked: object[] = [];
  const ask = asking({
    async edit(_id, change) {
      asked.push(change);
      return { message: "Changed.", watch: row("a") };
    },
  });
  for (const body of [{ interval_s: 4 }, { trigger: "always" }, { condition: " " }, { stall_after: 0 }, []])
    expect((await ask("PATCH", "/api/watches/a", body)).status).toBe(422);
  expect((await ask("PATCH", "/api/watches/a", { deadline: null, interval_s: 60 })).status).toBe(200);
  expect(asked).toEqual([{ deadline: null, interval_s: 60 }]);
});

it("answers what the service refuses", async () => {
  const ask = asking({
    read() {
      throw new Problem(404, "There is no such watch.");
    },
  });
  expect((await ask("GET", "/api/watches/a")).status).toBe(404);
});

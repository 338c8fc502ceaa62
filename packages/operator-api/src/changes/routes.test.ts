import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type ChangesService, changesRoutes } from "./routes.ts";
import type { ChangeRow } from "./schema.ts";

const row = (id: string): ChangeRow => ({
  ...{ id, task_id: "t", call_id: null, session_id: "s", project: "p", path: "a", op: "modify", origin: "undo" },
  ...{ additions: 1, deletions: 0, bytes: 1, reversible: true, reason: null, state: "done", current: "unchanged" },
  ...{ uncertain: false, created_at: "" },
});

function changes(service: Partial<ChangesService>) {
  const never = (): never => {
    throw new Error("not asked");
  };
  return askRoutes(changesRoutes({ list: never, diff: never, undo: never, ...service }));
}

it("pages by change, newest first, one more than the page being asked for (O5)", async () => {
  const asked: unknown[] = [];
  const ask = changes({
    async list(of, limit, before) {
      asked.push([of, limit, before]);
      return before === undefined ? [row("c"), row("b"), row("a")] : [row("a")];
    },
  });
  const first = (await ask("GET", "/api/changes?session_id=s&limit=2")).body as {
    changes: ChangeRow[];
    next_cursor: string;
  };
  expect(first.changes.map(({ id }) => id)).toEqual(["c", "b"]);
  const { body } = await ask("GET", `/api/changes?task_id=t&limit=2&cursor=${first.next_cursor}`);
  expect(body).toMatchObject({ changes: [{ id: "a" }], next_cursor: null });
  expect(asked).toEqual([
    [{ session: "s" }, 3, undefined],
    [{ task: "t" }, 3, "b"],
  ]);
});

it("wants exactly one of what changes can be of, and takes several ids", async () => {
  const ask = changes({ diff: async (of) => ({ files: [], patch: JSON.stringify(of), truncated: false }) });
  for (const query of ["", "?session_id=s&task_id=t", "?ids=a&project=p"])
    expect((await ask("GET", `/api/changes/diff${query}`)).status).toBe(400);
  expect((await ask("GET", "/api/changes/diff?ids=a,b,")).body).toMatchObject({ patch: '{"ids":["a","b"]}' });
});

it("undoes a turn, or single changes, and only tells what would happen where that is asked", async () => {
  const asked: unknown[] = [];
  const ask = changes({
    async undo(...of) {
      asked.push(of);
      return { id: "u", files: [{ project: "p", path: "a", result: "restored" }] };
    },
  });
  const undone = await ask("POST", "/api/changes/undo", { task_id: "t" });
  expect(undone.body).toEqual({ undo_id: "u", files: [{ project: "p", path: "a", result: "restored" }] });
  await ask("POST", "/api/changes/undo", { ids: ["a"], preview: true });
  for (const body of [{}, { ids: [] }, { ids: ["a"], task_id: "t" }])
    expect((await ask("POST", "/api/changes/undo", body)).status).toBe(422);
  expect(asked).toEqual([
    [{ task: "t" }, false],
    [{ ids: ["a"] }, true],
  ]);
});

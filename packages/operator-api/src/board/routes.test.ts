import { expect, it } from "vitest";
import { Problem } from "../problem/index.ts";
import { askRoutes } from "../testing/index.ts";
import { type BoardService, boardRoutes } from "./routes.ts";
import type { IssueRow } from "./schema.ts";

const issue = (n: number): IssueRow => ({
  id: `task-${n}`,
  title: "t",
  description: "",
  status: "open",
  priority: 2,
  issue_type: "task",
  assignee: "",
  session_id: null,
  created_at: "",
  updated_at: "",
  closed_at: null,
  close_reason: null,
  run: null,
});

function board(service: Partial<BoardService>) {
  const never = (): never => {
    throw new Error("not asked");
  };
  const base = {
    open: never,
    list: never,
    read: never,
    create: never,
    edit: never,
    close: never,
    remove: never,
    run: never,
  };
  const refuse = (error: string): never => {
    throw new Problem(503, error);
  };
  return askRoutes(boardRoutes({ ...base, refuse, ...service }));
}

it("pages by number, newest first, one more than the page being asked for (O5)", async () => {
  const asked: unknown[] = [];
  const ask = board({
    async list(filter, limit, before) {
      asked.push([filter, limit, before]);
      return before === undefined ? [issue(9), issue(7), issue(5)] : [issue(5)];
    },
  });
  const first = (await ask("GET", "/api/tasks/issues?limit=2&type=bug&session_id=s")).body as {
    issues: IssueRow[];
    next_cursor: string;
  };
  expect(first.issues.map(({ id }) => id)).toEqual(["task-9", "task-7"]);
  const { body } = await ask("GET", `/api/tasks/issues?limit=2&cursor=${first.next_cursor}`);
  expect(body).toMatchObject({ issues: [{ id: "task-5" }], next_cursor: null });
  expect(asked).toEqual([
    [{ type: "bug", session_id: "s" }, 3, undefined],
    [{}, 3, 7],
  ]);
});

it("distinguishes a store that cannot be opened from one that is there (B40)", async () => {
  const ask = board({ open: async () => ({ ok: false, error: "locked" }) });
  expect((await ask("GET", "/api/tasks/status")).body).toEqual({ initialized: false, error: "locked" });
  expect(await ask("POST", "/api/tasks/init")).toMatchObject({ status: 503, body: { detail: "locked" } });
});

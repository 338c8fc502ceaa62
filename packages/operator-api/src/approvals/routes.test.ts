import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type ApprovalsService, approvalsRoutes } from "./routes.ts";

const position = { at: 7, id: "prompt_1" };
const approval = {
  ...({ id: "prompt_1", kind: "approval", task_id: "t", session_id: "s", class: "operator", origin: "chat" } as const),
  parents: [{ task_id: "p", session_id: "s", origin: "chat" }],
  payload: { kind: "approval", promptId: "prompt_1", title: "Run x?", detail: "", tool: "x", args: { n: 1 } },
  ...{
    may_edit: true,
    may_remember: true,
    asked_by_settings: false,
    input: "go",
    position: 0,
    created_at: "2026-11-21T10:00:00.000Z",
  },
} as const;
const grant = { id: "grant_1", tool: "x", args: { n: 1 }, class: "operator", created_at: approval.created_at };

const file = { path: "a.ts", additions: 1, deletions: 0 };
const previews = new Map([
  ["diff", { made: { kind: "diff", files: [file], patch: "+a", more: 1 }, isChanged: true }],
  ["code", { made: { kind: "code", language: "javascript", code: "1" }, isChanged: true }],
  ["half", { made: { kind: "command", argv: ["ls"] }, isChanged: false }],
  ["other", { made: { kind: "picture", url: "x" }, isChanged: false }],
  ["without", { made: undefined, isChanged: false }],
]);

function service() {
  const asked: unknown[] = [];
  const approvals: ApprovalsService = {
    async list(...args) {
      asked.push(args);
      return { rows: [approval], end: position };
    },
    pending: async () => 3,
    preview: async (id) => previews.get(id),
    async decide(id, decision) {
      asked.push(decision);
      return id === "prompt_1" ? { task: "t", session: "s", state: "running" } : undefined;
    },
    grants: async () => ({ rows: [grant], end: undefined }),
    revoke: async (id) => id === "grant_1",
  };
  return { asked, ask: askRoutes(approvalsRoutes(approvals)) };
}

it("lists pages of what waits, with the total", async () => {
  const { asked, ask } = service();
  const { body } = await ask("GET", "/api/approvals?limit=1");
  expect(body).toMatchObject({ approvals: [approval], pending: 3 });
  await ask("GET", `/api/approvals?session_id=s&task_id=t&cursor=${(body as { next_cursor: string }).next_cursor}`);
  expect(asked).toEqual([
    [1, undefined, { session: undefined, task: undefined }],
    [50, position, { session: "s", task: "t" }],
  ]);
});

it("takes a decision, and refuses what is none before the service sees it", async () => {
  const { asked, ask } = service();
  const decided = await ask("POST", "/api/approvals/prompt_1", { decision: "approve", args: { n: 2 } });
  expect(decided).toMatchObject({ status: 200, body: { id: "prompt_1", task_id: "t", state: "running" } });
  expect((await ask("POST", "/api/approvals/other", { decision: "decline" })).status).toBe(404);
  for (const body of [
    {},
    { decision: "maybe" },
    { decision: "approve", args: [1] },
    { decision: "approve", remember: 1 },
  ])
    expect((await ask("POST", "/api/approvals/prompt_1", body)).status).toBe(422);
  expect(asked).toEqual([
    { decision: "approve", args: { n: 2 }, remember: false },
    { decision: "decline", remember: false },
  ]);
});

it("shows what a call would do in the forms there are, and otherwise that there is nothing to see (F28)", async () => {
  const { ask } = service();
  const shown = async (id: string) => (await ask("GET", `/api/approvals/${id}/preview`)).body;
  expect(await shown("diff")).toEqual({ kind: "diff", files: [file], patch: "+a", changed_since: true });
  expect(await shown("code")).toEqual({ kind: "code", language: "javascript", code: "1" });
  for (const id of ["half", "other", "without"]) expect(await shown(id)).toEqual({ kind: "none" });
  expect((await ask("GET", "/api/approvals/gone/preview")).status).toBe(404);
});

it("lists and revokes what is remembered", async () => {
  const { ask } = service();
  expect((await ask("GET", "/api/approvals/grants")).body).toEqual({ grants: [grant], next_cursor: null });
  expect((await ask("DELETE", "/api/approvals/grants/grant_1")).body).toEqual({ revoked: true });
  expect((await ask("DELETE", "/api/approvals/grants/grant_2")).status).toBe(404);
});

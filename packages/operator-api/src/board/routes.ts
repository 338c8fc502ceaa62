import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";
import {
  closeSchema,
  type IssueRow,
  initSchema,
  issueChangeSchema,
  issueFilterEntries,
  issueSchema,
  newIssueSchema,
} from "./schema.ts";

const tag = "Tasks";
const failures = { 503: "There is no task store: `GET /api/tasks/status` has the reason." } as const;
const one = json(v.object({ issue: issueSchema }));
const known = {
  params: { id: "Of the issue: `task-<n>`." },
  failures: { ...failures, 404: "There is no such issue." },
} as const;

export const readBoardStatus = defineRoute({
  name: "tasks.status",
  method: "GET",
  path: "/api/tasks/status",
  tag,
  summary: "Whether the board has its store",
  reply: json(
    v.object({ initialized: v.boolean(), error: v.optional(v.pipe(v.string(), v.description("Why there is none."))) }),
  ),
});

export const initBoard = defineRoute({
  name: "tasks.init",
  method: "POST",
  path: "/api/tasks/init",
  tag,
  summary: "Creates the store of the board, where there is none yet",
  description: "It is made when it is first used, too.",
  body: initSchema,
  bodyOptional: true,
  reply: json(v.object({ initialized: v.boolean(), already_initialized: v.boolean() })),
  failures,
});

export const listIssues = defineRoute({
  name: "tasks.list",
  method: "GET",
  path: "/api/tasks/issues",
  tag,
  summary: "Issues, newest first",
  query: v.object({ ...pageQuery(v.number()).entries, ...issueFilterEntries }),
  reply: json(v.object({ issues: v.array(issueSchema), ...pageFields })),
  failures,
});

export const readIssue = defineRoute({
  name: "tasks.read",
  method: "GET",
  path: "/api/tasks/issues/{id}",
  tag,
  summary: "One issue",
  reply: one,
  ...known,
});

export const createIssue = defineRoute({
  name: "tasks.create",
  method: "POST",
  path: "/api/tasks/issues",
  tag,
  summary: "Puts an issue on the board",
  body: newIssueSchema,
  reply: one,
  failures: { ...failures, 409: "The board holds as many issues as it may." },
  example: { body: { title: "Renew the certificate", type: "chore", priority: 1 } },
});

export const editIssue = defineRoute({
  name: "tasks.edit",
  method: "PATCH",
  path: "/api/tasks/issues/{id}",
  tag,
  summary: "Changes the fields that are sent; any status may be set",
  body: issueChangeSchema,
  reply: one,
  ...known,
});

export const closeIssue = defineRoute({
  name: "tasks.close",
  method: "POST",
  path: "/api/tasks/issues/{id}/close",
  tag,
  summary: "Closes an issue; one that is closed already stays as it is",
  body: closeSchema,
  bodyOptional: true,
  reply: one,
  ...known,
});

export const runIssue = defineRoute({
  name: "tasks.run",
  method: "POST",
  path: "/api/tasks/issues/{id}/run",
  tag,
  summary: "Lets the agent do an issue: starts a turn about it, in a conversation of its own",
  description: `An issue has one turn at a time. While there is one that was not canceled and did not fail, it is returned and
nothing begins. The issue is in progress from then on; the agent closes it.`,
  reply: json(
    v.object({
      issue: issueSchema,
      task_id: v.string(),
      session_id: v.string(),
      started: v.pipe(v.boolean(), v.description("False: the turn had begun before.")),
    }),
  ),
  params: known.params,
  failures: { ...known.failures, 409: "The issue is closed." },
});

export const removeIssue = defineRoute({
  name: "tasks.remove",
  method: "DELETE",
  path: "/api/tasks/issues/{id}",
  tag,
  summary: "Deletes an issue",
  reply: json(v.object({ deleted: v.boolean() })),
  ...known,
});

type Shown = Frozen<IssueRow>;
type Filter = Omit<v.InferOutput<typeof listIssues.query>, "cursor" | "limit">;

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface BoardService {
  /** Opens the store where it is not open; why it could not be, else. */
  open(): Promise<{ readonly ok: true; readonly already: boolean } | { readonly ok: false; readonly error: string }>;
  /** Newest first. `before`: the number of the last issue of the page before. */
  list(filter: Filter, limit: number, before: number | undefined): Promise<readonly Shown[]>;
  read(id: string): Promise<Shown>;
  /** `call`: asked again under the same one it is the same issue. */
  create(issue: v.InferOutput<typeof newIssueSchema>, call: string | undefined): Promise<Shown>;
  edit(id: string, change: v.InferOutput<typeof issueChangeSchema>): Promise<Shown>;
  close(id: string, reason: string | undefined, call: string | undefined): Promise<Shown>;
  remove(id: string): Promise<void>;
  /** Starts a turn about an issue, or returns the one that works on it. */
  run(id: string): Promise<{
    readonly issue: Shown;
    readonly task: string;
    readonly session: string;
    readonly started: boolean;
  }>;
  /** Refuses: there is no store. */
  refuse(error: string): never;
}

export function boardRoutes(board: BoardService): readonly ServedRoute[] {
  return [
    serve(readBoardStatus, async () => {
      const opened = await board.open();
      return opened.ok ? { initialized: true } : { initialized: false, error: opened.error };
    }),
    serve(initBoard, async () => {
      const opened = await board.open();
      return opened.ok ? { initialized: true, already_initialized: opened.already } : board.refuse(opened.error);
    }),
    serve(listIssues, async ({ query: { limit, cursor, ...filter } }) => {
      const issues = await board.list(filter, limit + 1, cursor);
      const page = issues.slice(0, limit);
      const last = issues.length > limit ? Number(page.at(-1)?.id.slice("task-".length)) : undefined;
      return { issues: page, next_cursor: cursorOf(last) };
    }),
    serve(readIssue, async ({ params }) => ({ issue: await board.read(params.id) })),
    serve(createIssue, async ({ body, requestKey }) => ({ issue: await board.create(body, requestKey?.key) })),
    serve(editIssue, async ({ params, body }) => ({ issue: await board.edit(params.id, body) })),
    serve(closeIssue, async ({ params, body, requestKey }) => ({
      issue: await board.close(params.id, body.reason, requestKey?.key),
    })),
    serve(runIssue, async ({ params }) => {
      const { issue, task, session, started } = await board.run(params.id);
      return { issue, task_id: task, session_id: session, started };
    }),
    serve(removeIssue, async ({ params }) => {
      await board.remove(params.id);
      return { deleted: true };
    }),
  ];
}

import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type RequestKey, type ServedRoute, serve } from "../route/index.ts";
import { previewSchema, shownPreview } from "./preview-schema.ts";
import { approvalSchema, decisionSchema, grantSchema } from "./schema.ts";

const tag = "Approvals";
const position = v.object({ at: v.number(), id: v.string() });
const name = (description: string) => v.optional(v.pipe(v.string(), v.maxLength(512), v.description(description)));

/** `GET /api/approvals` (O3). */
export const listApprovals = defineRoute({
  name: "approvals.list",
  method: "GET",
  path: "/api/approvals",
  tag,
  summary: "Everything that waits for a person, of any surface and depth, newest first",
  query: v.object({
    ...pageQuery(position).entries,
    session_id: name("What waits in this conversation of the operator's, or in tasks below it."),
    task_id: name("What waits in this task, or in tasks below it."),
  }),
  reply: json(
    v.object({
      approvals: v.array(approvalSchema),
      pending: v.pipe(v.number(), v.description("All that wait, on any page and anywhere.")),
      ...pageFields,
    }),
  ),
});

export const previewApproval = defineRoute({
  name: "approvals.preview",
  method: "GET",
  path: "/api/approvals/{id}/preview",
  tag,
  summary: "What a call that waits would do",
  description:
    "Made when it is asked for, by the tool. A tool that shows nothing, or cannot within 10 seconds, is answered with `none`.",
  params: { id: "Of the prompt." },
  reply: json(previewSchema),
  failures: { 404: "Nothing of this id waits any more." },
});

export const decideApproval = defineRoute({
  name: "approvals.decide",
  method: "POST",
  path: "/api/approvals/{id}",
  tag,
  decides: true,
  summary: "Approves, declines or answers what waits for a person",
  description:
    "Durable when answered. An approval counts once, for this call with the arguments shown or sent. What is refused changes nothing, and still waits.",
  params: { id: "Of the prompt." },
  body: decisionSchema,
  reply: json(
    v.object({
      id: v.string(),
      task_id: v.string(),
      session_id: v.string(),
      state: v.pipe(v.string(), v.description("The task's, now: parked while more of it waits.")),
    }),
  ),
  failures: {
    400: "The decision, the answer or the arguments do not fit what is asked.",
    404: "There is no such prompt.",
    409: "It was decided already, or its task ended; or settings forbid the call; or no more can be remembered.",
  },
  example: { body: { decision: "approve", args: { query: "weather in Rome" }, remember: true } },
});

export const listGrants = defineRoute({
  name: "approvals.grants",
  method: "GET",
  path: "/api/approvals/grants",
  tag,
  summary: "Remembered approvals, newest first",
  query: pageQuery(position),
  reply: json(v.object({ grants: v.array(grantSchema), ...pageFields })),
});

export const revokeGrant = defineRoute({
  name: "approvals.revoke",
  method: "DELETE",
  path: "/api/approvals/grants/{id}",
  tag,
  decides: true,
  summary: "Revokes a remembered approval",
  params: { id: "Of the grant." },
  reply: json(v.object({ revoked: v.literal(true) })),
  failures: { 404: "There is no such grant." },
});

/** The last row of a page. */
export interface ApprovalPosition {
  readonly at: number;
  readonly id: string;
}

/** What waits where; what is absent fits all. */
export interface ApprovalFilter {
  /** A conversation of the operator's. */
  readonly session: string | undefined;
  readonly task: string | undefined;
}

/** A page, and where it ended if there may be more. */
export interface ApprovalsPage<T> {
  readonly rows: readonly T[];
  readonly end: ApprovalPosition | undefined;
}

/** Implemented by the service. Refuses by throwing `Problem`. */
export interface ApprovalsService {
  list(
    limit: number,
    before: ApprovalPosition | undefined,
    filter: ApprovalFilter,
  ): Promise<ApprovalsPage<Frozen<v.InferInput<typeof approvalSchema>>>>;
  pending(): Promise<number>;
  /** What the call would do, as its tool shows it. Undefined: nothing of this id waits any more. */
  preview(id: string): Promise<{ readonly made: unknown; readonly isChanged: boolean } | undefined>;
  /** Undefined: there never was such a prompt. */
  decide(
    id: string,
    decision: Frozen<v.InferOutput<typeof decisionSchema>>,
    key: RequestKey | undefined,
  ): Promise<{ readonly task: string; readonly session: string; readonly state: string } | undefined>;
  grants(limit: number, before?: ApprovalPosition): Promise<ApprovalsPage<Frozen<v.InferInput<typeof grantSchema>>>>;
  /** False: there is no such grant. */
  revoke(id: string): Promise<boolean>;
}

export function approvalsRoutes(approvals: ApprovalsService): readonly ServedRoute[] {
  return [
    serve(listApprovals, async ({ query: { limit, cursor, session_id: session, task_id: task } }) => {
      const [{ rows, end }, pending] = await Promise.all([
        approvals.list(limit, cursor, { session, task }),
        approvals.pending(),
      ]);
      return { approvals: rows, pending, next_cursor: cursorOf(end) };
    }),
    serve(previewApproval, async ({ params: { id } }) => {
      const preview = await approvals.preview(id);
      if (preview === undefined) throw new Problem(404, "Nothing of this id waits any more.");
      return shownPreview(preview.made, preview.isChanged);
    }),
    serve(decideApproval, async ({ params: { id }, body, requestKey }) => {
      const decided = await approvals.decide(id, body, requestKey);
      if (decided === undefined) throw new Problem(404, "There is no such prompt.");
      return { id, task_id: decided.task, session_id: decided.session, state: decided.state };
    }),
    serve(listGrants, async ({ query: { limit, cursor } }) => {
      const { rows, end } = await approvals.grants(limit, cursor);
      return { grants: rows, next_cursor: cursorOf(end) };
    }),
    serve(revokeGrant, async ({ params: { id } }) => {
      if (!(await approvals.revoke(id))) throw new Problem(404, "There is no such grant.");
      return { revoked: true as const };
    }),
  ];
}

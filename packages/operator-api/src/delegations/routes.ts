import * as v from "valibot";
import { objectProblemSchema } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";
import { taskStateSchema } from "../task-state/index.ts";

const tag = "Subagents";
const params = { id: "Of the session." };
const failures = { 404: { description: "There is no such session (`not_found`).", schema: objectProblemSchema } };

const runningSchema = v.object({
  id: v.pipe(v.string(), v.description("Of the tool call; `-2`, `-3`, … behind it for the further tasks of a batch.")),
  label: v.string(),
  subagent_type: v.string(),
  task_id: v.pipe(v.string(), v.description("The task that does it.")),
  parent: v.pipe(v.nullable(v.string()), v.description("The task that delegated it; null: a person did.")),
  state: taskStateSchema,
});

export const listDelegations = defineRoute({
  name: "delegations.list",
  method: "GET",
  path: "/api/chat/sessions/{id}/delegations",
  tag,
  summary: "What a session's agent waits for from subagents",
  params,
  reply: json(v.object({ running: v.array(runningSchema) })),
  failures,
});

export const cancelDelegation = defineRoute({
  name: "delegations.cancel",
  method: "POST",
  path: "/api/chat/sessions/{id}/delegations/{del_id}/cancel",
  tag,
  summary: "Cancels a delegation; the agent reads that and continues",
  params: { ...params, del_id: "Of the delegation; the id of a call cancels all of its tasks." },
  reply: json(
    v.object({
      cancelled: v.pipe(v.boolean(), v.description("False: none of that id runs.")),
      running: v.pipe(v.number(), v.description("Delegations of the session that still run.")),
    }),
  ),
  failures,
});

/** Implemented by the service. Both refuse with 404 where there is no such session. */
export interface DelegationsService {
  list(session: string): Promise<readonly Frozen<v.InferInput<typeof runningSchema>>[]>;
  /** Durable when it resolves. */
  cancel(session: string, id: string): Promise<{ readonly cancelled: boolean; readonly running: number }>;
}

export function delegationsRoutes(delegations: DelegationsService): readonly ServedRoute[] {
  return [
    serve(listDelegations, async ({ params }) => ({ running: await delegations.list(params.id) })),
    serve(cancelDelegation, ({ params }) => delegations.cancel(params.id, params.del_id)),
  ];
}

import * as v from "valibot";
import { objectProblemSchema, Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type RequestKey, type ServedRoute, serve } from "../route/index.ts";
import { batchBodySchema, batchReplySchema, runBodySchema, runReplySchema, subagentSchema } from "./schema.ts";

const tag = "Subagents";
const upstream = (description: string) => ({ description, schema: objectProblemSchema });

export const listSubagents = defineRoute({
  name: "subagents.list",
  method: "GET",
  path: "/api/subagents",
  tag,
  summary: "The roles that work can be delegated to, with their tools and rounds",
  reply: json(v.object({ subagents: v.array(subagentSchema) })),
});

export const runSubagent = defineRoute({
  name: "subagents.run",
  method: "POST",
  path: "/api/subagents/run",
  tag,
  summary: "Delegates a task to a subagent and waits for its result",
  description:
    "It runs as a task of its own, under the same guards as any, and continues when the caller leaves. An approval it needs waits in the approvals inbox, and the answer with it.",
  body: runBodySchema,
  reply: json(runReplySchema),
  failures: {
    400: "The prompt is blank, there is no such role, or it is disabled.",
    429: upstream("The model's provider limited the rate, or too much runs already; see Retry-After."),
    502: upstream("The model's provider failed or could not be reached."),
  },
  example: { body: { type: "researcher", prompt: "Which port does the service listen on by default?" } },
});

export const runSubagents = defineRoute({
  name: "subagents.batch",
  method: "POST",
  path: "/api/subagents/batch",
  tag,
  summary: "Delegates up to 20 tasks to subagents, several at a time, and waits for all results",
  description:
    "Tasks that fail are reported in `results`; the whole is refused only when every one failed at the provider.",
  body: batchBodySchema,
  reply: json(batchReplySchema),
  failures: {
    400: "There are no tasks, or one names a role that does not exist or is disabled.",
    429: upstream("Every task failed because the model's provider limited the rate; see Retry-After."),
    502: upstream("Every task failed at the model's provider."),
  },
  example: { body: { tasks: [{ prompt: "Name a prime above 100." }, { type: "verifier", prompt: "Is 91 prime?" }] } },
});

/** Work for a subagent. */
export interface SubagentWork {
  /** The role. */
  readonly type: string;
  readonly prompt: string;
  readonly description: string;
}

/** Implemented by the service. */
export interface SubagentsService {
  list(): readonly Frozen<v.InferInput<typeof subagentSchema>>[];
  /** @throws Problem */
  run(
    session: string,
    work: SubagentWork,
    key: RequestKey | undefined,
  ): Promise<Frozen<v.InferInput<typeof runReplySchema>>>;
  /** @throws Problem */
  batch(
    session: string,
    work: readonly SubagentWork[],
    key: RequestKey | undefined,
  ): Promise<Frozen<v.InferInput<typeof batchReplySchema>>>;
}

interface AskedWork {
  readonly prompt: string;
  readonly description: string;
  readonly type?: string | undefined;
  readonly subagent_type?: string | undefined;
}

function workOf({ prompt, description, type, subagent_type }: AskedWork): SubagentWork {
  return { prompt, description: description.trim(), type: subagent_type || type || "researcher" };
}

export function subagentsRoutes(subagents: SubagentsService): readonly ServedRoute[] {
  return [
    serve(listSubagents, () => ({ subagents: subagents.list() })),
    serve(runSubagent, ({ body, requestKey }) => {
      if (body.prompt.trim() === "") throw new Problem(400, "The prompt is blank.");
      return subagents.run(body.session_id, workOf(body), requestKey);
    }),
    serve(runSubagents, ({ body, requestKey }) => {
      if (body.tasks.length === 0) throw new Problem(400, "There are no tasks.");
      return subagents.batch(body.session_id, body.tasks.map(workOf), requestKey);
    }),
  ];
}

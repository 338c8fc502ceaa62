import * as v from "valibot";

/** Statuses of a job (B36). */
export const JOB_STATUSES = ["running", "completed", "failed", "canceled"] as const;

const nullableText = v.nullable(v.string());

/** A job's row (B36). */
export const jobSchema = v.object({
  id: v.pipe(v.string(), v.description("`bg-` and 12 hex characters.")),
  agent_name: v.string(),
  origin_session: v.pipe(v.string(), v.description("The session whose turn started it, and which gets its result.")),
  subagent_type: v.string(),
  description: v.string(),
  status: v.pipe(v.picklist(JOB_STATUSES), v.description("`running` also while it waits for one of the three slots.")),
  result: v.pipe(
    nullableText,
    v.description("The report, or why it failed; null while it runs and for a canceled one."),
  ),
  result_truncated: v.pipe(v.boolean(), v.description("A list has the first 2,000 characters; the row has all.")),
  notified: v.pipe(v.boolean(), v.description("A turn of the session has read the report, and has ended.")),
  created_at: v.string(),
  started_at: v.pipe(nullableText, v.description("Null while it waits for a slot.")),
  completed_at: nullableText,
  a2a_task_id: v.pipe(
    nullableText,
    v.description("The task that does it; its journal holds what happened and what it cost."),
  ),
  origin_task_id: v.pipe(v.string(), v.description("The task whose call started it.")),
  delivery_task_id: v.pipe(nullableText, v.description("The turn that reads the report, or has read it.")),
  origin_incognito: v.boolean(),
  waiting: v.pipe(
    v.boolean(),
    v.description("True while it waits for a person: what it asks is in `/api/approvals`. `status` is `running` then."),
  ),
  batch_id: v.pipe(v.string(), v.description("Jobs of one turn have the same; their reports are read together.")),
  dismissed: v.pipe(v.boolean(), v.description("Cleared from the list.")),
  deterministic: v.pipe(v.literal(false), v.description("Every job is a model's work.")),
});

/** A job's row on the wire. */
export type JobRow = v.InferInput<typeof jobSchema>;

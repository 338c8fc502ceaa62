import * as v from "valibot";

const entrySchema = v.looseObject({
  loc: v.array(v.union([v.string(), v.number()])),
  msg: v.string(),
  type: v.string(),
});

/** The body of an error in the text form. A 500 adds `error_id`, under which the log has the cause. */
export const textProblemSchema = v.object({ detail: v.string(), error_id: v.optional(v.string()) });

/** The body of a 422. */
export const listProblemSchema = v.object({ detail: v.array(entrySchema) });

/** The body of an error in the object form. */
export const objectProblemSchema = v.object({
  detail: v.object({
    code: v.string(),
    message: v.optional(v.string()),
    reason: v.optional(v.string()),
    upstream_status: v.optional(v.nullable(v.number())),
    session_id: v.optional(v.string()),
    error_id: v.optional(v.string()),
  }),
});

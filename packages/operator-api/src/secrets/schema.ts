import * as v from "valibot";

const errorKind = v.picklist(["not_configured", "auth_failed", "network", "timeout", "bad_response", "internal"]);

/** The last outcome of the external secrets manager (B42). Names only, never a value. */
export const secretsStatusSchema = v.object({
  enabled: v.boolean(),
  provider: v.string(),
  host: v.string(),
  project_id: v.string(),
  environment: v.string(),
  path: v.string(),
  ok: v.pipe(v.nullable(v.boolean()), v.description("Null: nothing was fetched yet.")),
  error: v.nullable(v.string()),
  error_kind: v.nullable(errorKind),
  fetched_at: v.pipe(v.nullable(v.string()), v.description("Time of the last good fetch.")),
  applied: v.pipe(v.number(), v.description("How many variables the manager owns.")),
  shadowed: v.pipe(
    v.array(v.string()),
    v.description("Variables it has too, where the one the process was started with counts."),
  ),
  refresh_seconds: v.number(),
  vars: v.pipe(v.array(v.string()), v.description("Names of the variables the manager owns.")),
});

const text = v.optional(v.pipe(v.string(), v.maxLength(4096, "At most 4096 characters.")));

/** Settings to try that are not saved; what is left out or blank is as saved. */
export const secretsTestSchema = v.object({
  provider: text,
  host: text,
  project_id: text,
  environment: text,
  path: text,
  recursive: v.optional(v.boolean()),
  client_id: text,
  client_secret: text,
  timeout_seconds: v.optional(
    v.pipe(v.number(), v.minValue(0.1, "At least 0.1 seconds."), v.maxValue(60, "At most 60 seconds.")),
  ),
});

/** What a test found. */
export const secretsTestResultSchema = v.object({
  ok: v.boolean(),
  error: v.nullable(v.string()),
  error_kind: v.nullable(errorKind),
  count: v.number(),
  names: v.pipe(v.array(v.string()), v.description("The first 100.")),
});

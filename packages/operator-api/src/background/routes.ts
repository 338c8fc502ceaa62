import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, json, type ServedRoute, serve } from "../route/index.ts";
import { JOB_STATUSES, type JobRow, jobSchema } from "./schema.ts";

const tag = "Background jobs";
const params = { job_id: "`bg-` and 12 hex characters." };
const failures = { 400: "The id is none of a background job.", 404: "There is no such job." };
const session = v.pipe(v.optional(v.pipe(v.string(), v.maxLength(512))), v.description("Of this session only."));

/** `GET /api/background` (B36). */
export const listJobs = defineRoute({
  name: "background.list",
  method: "GET",
  path: "/api/background",
  tag,
  summary: "Background jobs, newest first, without those that were cleared",
  query: v.object({
    ...pageQuery(v.object({ createdAt: v.number(), id: v.string() }), { defaultLimit: 100, maxLimit: 500 }).entries,
    session,
    status: v.pipe(v.optional(v.string()), v.description(`One of ${JOB_STATUSES.join(", ")}.`)),
  }),
  reply: json(
    v.object({
      enabled: v.pipe(v.boolean(), v.description("Jobs can be started.")),
      jobs: v.array(jobSchema),
      ...pageFields,
    }),
  ),
  failures: { 400: "The status is none that a background job has." },
});

export const readJob = defineRoute({
  name: "background.read",
  method: "GET",
  path: "/api/background/{job_id}",
  tag,
  summary: "A background job with its whole result",
  params,
  reply: json(jobSchema),
  failures,
});

export const cancelJob = defineRoute({
  name: "background.cancel",
  method: "POST",
  path: "/api/background/{job_id}/cancel",
  tag,
  summary: "Ends a background job without a report to its session",
  params,
  reply: json(
    v.object({
      ok: v.pipe(v.boolean(), v.description("False: it had ended already.")),
      status: v.picklist(JOB_STATUSES),
      detail: v.string(),
    }),
  ),
  failures,
});

export const clearJobs = defineRoute({
  name: "background.clear",
  method: "POST",
  path: "/api/background/clear",
  tag,
  summary: "Clears background jobs that have ended from the list",
  description: "They stay readable by their ids, and reports that were not read yet are read.",
  body: v.object({ session }),
  bodyOptional: true,
  reply: json(v.object({ ok: v.literal(true), cleared: v.number() })),
});

export const deleteJob = defineRoute({
  name: "background.delete",
  method: "DELETE",
  path: "/api/background/{job_id}",
  tag,
  summary: "Removes a background job that has ended, and its report if it was not read yet",
  params,
  reply: json(v.object({ ok: v.literal(true), deleted: v.literal(true) })),
  failures: { ...failures, 409: "The job is still running: cancel it first." },
});

/** The last job of a page. */
export interface JobPosition {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly id: string;
}

/** Implemented by the service. */
export interface BackgroundService {
  enabled(): boolean;
  /** Newest first, those after `before`. */
  list(filter: {
    readonly status: JobRow["status"] | undefined;
    readonly session: string | undefined;
    readonly limit: number;
    readonly before: JobPosition | undefined;
  }): Promise<readonly { readonly row: JobRow; readonly position: JobPosition }[]>;
  read(id: string): Promise<JobRow | undefined>;
  /** Undefined: there is no such job. */
  cancel(id: string): Promise<{ readonly ok: boolean; readonly status: JobRow["status"] } | undefined>;
  clear(session: string | undefined): Promise<number>;
  delete(id: string): Promise<"deleted" | "running" | "unknown">;
}

function checkedId(id: string): string {
  if (!/^bg-[0-9a-f]{12}$/.test(id)) throw new Problem(400, "The id of a background job is bg- and 12 hex characters.");
  return id;
}

function checkedStatus(status: string | undefined): JobRow["status"] | undefined {
  const known = JOB_STATUSES.find((one) => one === status);
  if (status === undefined || known !== undefined) return known;
  throw new Problem(400, `A background job's status is one of ${JOB_STATUSES.join(", ")}.`);
}

const unknown = (): Problem => new Problem(404, "There is no such background job.");

export function backgroundRoutes(background: BackgroundService): readonly ServedRoute[] {
  return [
    serve(listJobs, async ({ query: { limit, cursor, status, session } }) => {
      const found = await background.list({ status: checkedStatus(status), session, limit, before: cursor });
      const last = found.length < limit ? undefined : found.at(-1)?.position;
      return { enabled: background.enabled(), jobs: found.map(({ row }) => row), next_cursor: cursorOf(last) };
    }),
    serve(readJob, async ({ params }) => {
      const job = await background.read(checkedId(params.job_id));
      if (job === undefined) throw unknown();
      return job;
    }),
    serve(cancelJob, async ({ params }) => {
      const canceled = await background.cancel(checkedId(params.job_id));
      if (canceled === undefined) throw unknown();
      const { ok, status } = canceled;
      return { ok, status, detail: ok ? "The job is canceled." : `The job is ${status} already.` };
    }),
    serve(clearJobs, async ({ body }) => ({ ok: true as const, cleared: await background.clear(body.session) })),
    serve(deleteJob, async ({ params }) => {
      const outcome = await background.delete(checkedId(params.job_id));
      if (outcome === "unknown") throw unknown();
      if (outcome === "running") throw new Problem(409, "The job is still running: cancel it first.");
      return { ok: true as const, deleted: true as const };
    }),
  ];
}

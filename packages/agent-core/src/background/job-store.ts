import {
  type Database,
  isExpectationError,
  namedStatement,
  type Row,
  type Statement,
  type Value,
} from "../database/index.ts";
import type { BackgroundJob, JobStatus } from "./background-job.ts";
import type { OpenJob } from "./due-steps.ts";

const COLUMNS =
  "id, class, context, parent, call, subagent_type, description, prompt, incognito, resumes, status, task, result, created_at, started_at, finished_at, delivery, delivered_at, dismissed_at, outside";

const statements = () => ({
  add: namedStatement(
    `INSERT INTO background_job (id, class, context, parent, call, position, subagent_type, description, prompt, incognito, outside, resumes, status, created_at, failures)
     VALUES (:id, :class, :context, :parent, :call, :position, :subagentType, :description, :prompt, :incognito, :outside, :resumes, 'running', :at, 0)`,
  ),
  open: namedStatement(
    `SELECT id, class, context, parent, resumes, status, task, finished_at, delivery, failures
     FROM background_job WHERE settled_at IS NULL ORDER BY created_at, call, position`,
  ),
  get: namedStatement(`SELECT ${COLUMNS} FROM background_job WHERE id = :id AND deleted_at IS NULL`),
  known: namedStatement("SELECT 1 FROM background_job WHERE id = :id"),
  list: namedStatement(
    `SELECT ${COLUMNS} FROM background_job
     WHERE (created_at, id) < (:beforeAt, :beforeId) AND deleted_at IS NULL AND dismissed_at IS NULL
       AND status = coalesce(:status, status) AND context = coalesce(:session, context)
     ORDER BY created_at DESC, id DESC LIMIT :limit`,
  ),
  start: namedStatement("UPDATE background_job SET task = :task, started_at = :at WHERE id = :id AND task IS NULL"),
  finish: namedStatement(
    `UPDATE background_job SET status = :status, result = :result, finished_at = :at, settled_at = :settledAt
     WHERE id = :id AND status = 'running'`,
  ),
  claim: namedStatement("UPDATE background_job SET delivery = :task WHERE id = :id AND delivery IS NULL"),
  acknowledge: namedStatement("UPDATE background_job SET delivered_at = :at, settled_at = :at WHERE id = :id"),
  takeBack: namedStatement(
    "UPDATE background_job SET delivery = NULL, failures = failures + :failed WHERE id = :id AND delivered_at IS NULL",
  ),
  leave: namedStatement("UPDATE background_job SET delivery = NULL, settled_at = :at WHERE id = :id"),
  drop: namedStatement(
    "UPDATE background_job SET deleted_at = :at, settled_at = coalesce(settled_at, :at) WHERE id = :id AND status <> 'running'",
  ),
  count: namedStatement(
    `SELECT count(*) FROM background_job WHERE status <> 'running' AND dismissed_at IS NULL AND deleted_at IS NULL
       AND context = coalesce(:session, context)`,
  ),
  dismiss: namedStatement(
    `UPDATE background_job SET dismissed_at = :at WHERE status <> 'running' AND dismissed_at IS NULL AND deleted_at IS NULL
       AND context = coalesce(:session, context)`,
  ),
  forget: namedStatement("DELETE FROM background_job WHERE class = :class AND context = :session"),
  sweep: namedStatement(
    `DELETE FROM background_job WHERE settled_at IS NOT NULL AND (deleted_at IS NOT NULL OR finished_at < :before)`,
  ),
});

export type NewJob = Pick<
  BackgroundJob,
  | "id"
  | "class"
  | "session"
  | "parent"
  | "call"
  | "subagentType"
  | "description"
  | "prompt"
  | "incognito"
  | "outside"
  | "resumes"
  | "createdAt"
> & { readonly position: number };

/** Which jobs a page holds: those before a position, newest first. */
export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly session?: string | undefined;
  readonly limit: number;
  readonly before?: { readonly createdAt: number; readonly id: string } | undefined;
}

const whole = (value: Value | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);
const textOf = (value: Value | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value);

function jobOf(row: Row): BackgroundJob {
  return {
    id: String(row[0]),
    class: String(row[1]),
    session: String(row[2]),
    parent: String(row[3]),
    call: String(row[4]),
    subagentType: String(row[5]),
    description: String(row[6]),
    prompt: String(row[7]),
    incognito: row[8] === 1,
    resumes: row[9] === 1,
    status: String(row[10]) as JobStatus,
    task: textOf(row[11]),
    result: textOf(row[12]),
    createdAt: Number(row[13]),
    startedAt: whole(row[14]),
    finishedAt: whole(row[15]),
    delivery: textOf(row[16]),
    deliveredAt: whole(row[17]),
    dismissed: row[18] !== null,
    outside: row[19] === 1,
  };
}

function openJobOf(row: Row): OpenJob {
  return {
    id: String(row[0]),
    class: String(row[1]),
    session: String(row[2]),
    parent: String(row[3]),
    resumes: row[4] === 1,
    status: String(row[5]) as JobStatus,
    task: textOf(row[6]),
    finishedAt: whole(row[7]),
    delivery: textOf(row[8]),
    failures: Number(row[9]),
    retryAt: 0,
  };
}

/** The rows of background jobs. Every method throws DatabaseError. */
export class JobStore {
  readonly #db: Database;
  readonly #sql = statements();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Adds the jobs of one call, all or none. */
  add(jobs: readonly NewJob[]): Promise<void> {
    const rows = jobs.map(({ session, incognito, outside, resumes, createdAt, ...job }) =>
      this.#sql.add.bind({
        ...job,
        context: session,
        incognito: Number(incognito),
        outside: Number(outside),
        resumes: Number(resumes),
        at: createdAt,
      }),
    );
    return this.#db.commit({ label: "background.spawn", statements: rows });
  }

  /** Jobs with something left to do, in the order they came. */
  async open(): Promise<OpenJob[]> {
    return (await this.#db.read(this.#sql.open.bind({}))).map(openJobOf);
  }

  /** A job that was not deleted. */
  async get(id: string): Promise<BackgroundJob | undefined> {
    const [row] = await this.#db.read(this.#sql.get.bind({ id }));
    return row === undefined ? undefined : jobOf(row);
  }

  /** Whether there ever was such a job, deleted or not. */
  async exists(id: string): Promise<boolean> {
    return (await this.#db.read(this.#sql.known.bind({ id }))).length > 0;
  }

  async list({ status, session, limit, before }: JobFilter): Promise<readonly BackgroundJob[]> {
    const { createdAt, id } = before ?? { createdAt: Number.MAX_SAFE_INTEGER, id: "" };
    const filter = { status: status ?? null, session: session ?? null };
    const rows = await this.#db.read(this.#sql.list.bind({ ...filter, limit, beforeAt: createdAt, beforeId: id }));
    return rows.map(jobOf);
  }

  /** For the command that starts the job's task. */
  started(id: string, task: string, at: number): Statement {
    return this.#sql.start.bind({ id, task, at });
  }

  /** Takes the job's end; false: it had ended already. */
  async finish(
    id: string,
    end: {
      readonly status: JobStatus;
      readonly result: string | undefined;
      readonly at: number;
      readonly settles: boolean;
    },
  ): Promise<boolean> {
    const { status, result = null, at, settles } = end;
    const expect = this.#sql.finish.bind({ id, status, result, at, settledAt: settles ? at : null });
    return this.#expected("background.finish", expect);
  }

  /** For the command that starts the turn which reads the report. */
  claimed(id: string, task: string): Statement {
    return this.#sql.claim.bind({ id, task });
  }

  acknowledge(ids: readonly string[], at: number): Promise<void> {
    return this.#each("background.acknowledge", ids, (id) => this.#sql.acknowledge.bind({ id, at }));
  }

  takeBack(ids: readonly string[], counts: boolean): Promise<void> {
    return this.#each("background.take-back", ids, (id) => this.#sql.takeBack.bind({ id, failed: Number(counts) }));
  }

  leave(ids: readonly string[], at: number): Promise<void> {
    return this.#each("background.leave", ids, (id) => this.#sql.leave.bind({ id, at }));
  }

  /** Deletes a job that has ended; false: it has not. */
  drop(id: string, at: number): Promise<boolean> {
    return this.#expected("background.delete", this.#sql.drop.bind({ id, at }));
  }

  /** Takes jobs that have ended out of the list. Returns how many. */
  async dismiss(session: string | undefined, at: number): Promise<number> {
    const which = { session: session ?? null };
    const [row] = await this.#db.read(this.#sql.count.bind(which));
    await this.#db.commit({ label: "background.clear", statements: [this.#sql.dismiss.bind({ ...which, at })] });
    return Number(row?.[0] ?? 0);
  }

  /** Removes every row of a session. */
  forget(of: { readonly class: string; readonly session: string }): Promise<void> {
    return this.#db.commit({ label: "background.forget", statements: [this.#sql.forget.bind(of)] });
  }

  /** Removes rows that nothing is left to be done about: deleted ones, and those that ended before `before`. */
  sweep(before: number): Promise<void> {
    return this.#db.commit({ label: "background.sweep", statements: [this.#sql.sweep.bind({ before })] });
  }

  #each(label: string, ids: readonly string[], bind: (id: string) => Statement): Promise<void> {
    return this.#db.commit({ label, statements: ids.map(bind) });
  }

  async #expected(label: string, expect: Statement): Promise<boolean> {
    try {
      await this.#db.commit({ label, expect, statements: [] });
      return true;
    } catch (error) {
      if (isExpectationError(error)) return false;
      throw error;
    }
  }
}

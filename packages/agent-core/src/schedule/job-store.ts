import { type Database, namedStatement, type Row, type Statement, type Value } from "../database/index.ts";
import { JOB_LIMITS, type JobCondition, type Overlap, type PauseReason, type ScheduledJob } from "./scheduled-job.ts";

const COLUMNS =
  "id, class, context, prompt, schedule, kind, timezone, enabled, pause_reason, off_since, fresh, overlap, catch_up_s, jitter_s, retries, only_if, outside, failures, created_by, origin_call, origin_trigger, tz_version, created_at, updated_at";

const statements = () => ({
  load: namedStatement(`SELECT ${COLUMNS} FROM schedule_job ORDER BY created_at, id LIMIT ${2 * JOB_LIMITS.jobs}`),
  put: namedStatement(
    `INSERT INTO schedule_job (${COLUMNS})
     VALUES (:id, :class, :context, :prompt, :schedule, :kind, :timezone, :enabled, :pauseReason, :offSince, :fresh, :overlap, :catchUpS, :jitterS, :retries, :onlyIf, :outside, :failures, :createdBy, :originCall, :originTrigger, :tzVersion, :createdAt, :updatedAt)
     ON CONFLICT (id) DO UPDATE SET prompt = :prompt, schedule = :schedule, kind = :kind, timezone = :timezone,
       enabled = :enabled, pause_reason = :pauseReason, off_since = :offSince, fresh = :fresh, overlap = :overlap,
       catch_up_s = :catchUpS, jitter_s = :jitterS, retries = :retries, only_if = :onlyIf, failures = :failures,
       tz_version = :tzVersion, updated_at = :updatedAt`,
  ),
  remove: namedStatement("DELETE FROM schedule_job WHERE id = :id"),
  timers: namedStatement("SELECT id, due_at, body FROM timer WHERE kind = 'schedule'"),
  state: namedStatement("SELECT value FROM schedule_state WHERE key = :key"),
  setState: namedStatement(
    "INSERT INTO schedule_state (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = :value",
  ),
  clearState: namedStatement("DELETE FROM schedule_state WHERE key = :key"),
});

const whole = (value: Value | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);
const textOf = (value: Value | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value);

function jobOf(row: Row): ScheduledJob {
  const condition = textOf(row[15]);
  return {
    id: String(row[0]),
    class: String(row[1]),
    context: String(row[2]),
    prompt: String(row[3]),
    schedule: String(row[4]),
    kind: row[5] === "once" ? "once" : "cron",
    timezone: String(row[6]),
    enabled: row[7] === 1,
    pauseReason: textOf(row[8]) as PauseReason | undefined,
    offSince: whole(row[9]),
    fresh: row[10] === 1,
    overlap: String(row[11]) as Overlap,
    catchUpS: Number(row[12]),
    jitterS: Number(row[13]),
    retries: Number(row[14]),
    onlyIf: condition === undefined ? undefined : (JSON.parse(condition) as JobCondition),
    outside: row[16] === 1,
    failures: Number(row[17]),
    createdBy: String(row[18]),
    originCall: textOf(row[19]),
    originTrigger: textOf(row[20]),
    tzVersion: String(row[21]),
    createdAt: Number(row[22]),
    updatedAt: Number(row[23]),
  };
}

/** The rows of jobs. Its reads throw DatabaseError. */
export class JobStore {
  readonly #db: Database;
  readonly #sql = statements();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Every job, in the order they were made. */
  async load(): Promise<readonly ScheduledJob[]> {
    return (await this.#db.read(this.#sql.load.bind({}))).map(jobOf);
  }

  /** The slot that each job's timer stands for, by the timer's id. */
  async pendingSlots(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#db.read(this.#sql.timers.bind({}));
    return new Map(rows.map(([id, due, body]) => [String(id), slotOf(JSON.parse(String(body))) ?? Number(due)]));
  }

  put(job: ScheduledJob): Statement {
    const { enabled, fresh, outside, onlyIf, pauseReason, offSince, originCall, originTrigger, ...rest } = job;
    return this.#sql.put.bind({
      ...rest,
      ...{ enabled: Number(enabled), fresh: Number(fresh), outside: Number(outside) },
      ...{ pauseReason: pauseReason ?? null, offSince: offSince ?? null },
      ...{ originCall: originCall ?? null, originTrigger: originTrigger ?? null },
      onlyIf: onlyIf === undefined ? null : JSON.stringify(onlyIf),
    });
  }

  remove(id: string): Statement {
    return this.#sql.remove.bind({ id });
  }

  async state(key: string): Promise<string | undefined> {
    const [row] = await this.#db.read(this.#sql.state.bind({ key }));
    return row === undefined ? undefined : String(row[0]);
  }

  setState(key: string, value: string | undefined): Statement {
    return value === undefined ? this.#sql.clearState.bind({ key }) : this.#sql.setState.bind({ key, value });
  }
}

/** The slot in the body of a job's timer. */
export function slotOf(body: unknown): number | undefined {
  const { slot } = body as { readonly slot?: unknown };
  return typeof slot === "number" ? slot : undefined;
}

import { type Database, namedStatement, type Row, type Statement, type Value } from "../database/index.ts";
import { JOB_LIMITS, type RunNotes, type SlotRun, type SlotState } from "./scheduled-job.ts";

const DAY_MS = 86_400_000;
const COLUMNS = "job, slot, attempt, state, reason, task, due_at, started_at, ended_at, upto, missed, notes";

const statements = () => ({
  add: namedStatement(
    `INSERT INTO schedule_run (${COLUMNS})
     VALUES (:job, :slot, :attempt, :state, :reason, :task, :dueAt, :startedAt, :endedAt, :upto, :missed, :notes)`,
  ),
  begin: namedStatement(
    `UPDATE schedule_run SET task = :task, started_at = :at, notes = :notes
     WHERE job = :job AND slot = :slot AND attempt = :attempt AND started_at IS NULL AND ended_at IS NULL`,
  ),
  end: namedStatement(
    `UPDATE schedule_run SET state = :state, reason = :reason, task = coalesce(:task, task), ended_at = :at, notes = NULL
     WHERE job = :job AND slot = :slot AND attempt = :attempt AND ended_at IS NULL`,
  ),
  open: namedStatement(`SELECT ${COLUMNS} FROM schedule_run WHERE ended_at IS NULL ORDER BY due_at, job`),
  list: namedStatement(
    `SELECT ${COLUMNS} FROM schedule_run WHERE job = :job AND (slot, attempt) < (:slot, :attempt)
     ORDER BY slot DESC, attempt DESC LIMIT :limit`,
  ),
  newestRuns: namedStatement(
    // CROSS JOIN: by job, not through every row of the ledger.
    `SELECT ${COLUMNS} FROM schedule_job CROSS JOIN schedule_run ON job = id AND started_at IS NOT NULL AND slot = (
       SELECT slot FROM schedule_run WHERE job = id AND started_at IS NOT NULL ORDER BY slot DESC LIMIT 1) ORDER BY attempt`,
  ),
  attempt: namedStatement(
    `SELECT ${COLUMNS} FROM schedule_run WHERE job = :job AND slot = :slot AND attempt = :attempt`,
  ),
  // Slots of patterns are whole minutes, and what a person ran is none.
  newest: namedStatement("SELECT max(coalesce(upto, slot)) FROM schedule_run WHERE job = :job AND slot % 60000 = 0"),
  tainted: namedStatement(
    "SELECT 1 FROM message WHERE class = :class AND context = :context AND task = :task AND kind = 'tainted' LIMIT 1",
  ),
  sizes: namedStatement("SELECT job, count(*), min(ended_at) FROM schedule_run GROUP BY job"),
  trim: namedStatement(
    `DELETE FROM schedule_run WHERE job = :job AND ended_at IS NOT NULL AND (ended_at < :before OR (slot, attempt) < (
       SELECT slot, attempt FROM schedule_run WHERE job = :job ORDER BY slot DESC, attempt DESC
       LIMIT 1 OFFSET ${JOB_LIMITS.ledgerRows - 1}))`,
  ),
});

const whole = (value: Value | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);
const textOf = (value: Value | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value);

function runOf(row: Row): SlotRun {
  return {
    job: String(row[0]),
    slot: Number(row[1]),
    attempt: Number(row[2]),
    state: String(row[3]) as SlotState,
    reason: textOf(row[4]),
    task: textOf(row[5]),
    dueAt: Number(row[6]),
    startedAt: whole(row[7]),
    endedAt: whole(row[8]),
    upto: whole(row[9]),
    missed: whole(row[10]),
    ...(row[11] != null && { notes: JSON.parse(String(row[11])) as RunNotes }),
  };
}

function storedNotes(notes: RunNotes | undefined): string | null {
  return notes === undefined ? null : JSON.stringify(notes);
}

/** Which attempt of which slot. */
export type AttemptKey = Pick<SlotRun, "job" | "slot" | "attempt">;

/** What a row of the ledger may leave out. */
export type NewRun = AttemptKey & Pick<SlotRun, "state" | "dueAt"> & Partial<SlotRun>;

/** The ledger of slots. Its reads throw DatabaseError. */
export class Ledger {
  readonly #db: Database;
  readonly #sql = statements();

  constructor(db: Database) {
    this.#db = db;
  }

  add(run: NewRun): Statement {
    const { job, slot, attempt, state, dueAt } = run;
    return this.#sql.add.bind({
      ...{ job, slot, attempt, state, dueAt },
      ...{ reason: run.reason ?? null, task: run.task ?? null },
      ...{ startedAt: run.startedAt ?? null, endedAt: run.endedAt ?? null },
      ...{ upto: run.upto ?? null, missed: run.missed ?? null, notes: storedNotes(run.notes) },
    });
  }

  /** `task` undefined: it is run elsewhere. */
  begin({ job, slot, attempt }: AttemptKey, task: string | undefined, at: number, notes?: RunNotes): Statement {
    return this.#sql.begin.bind({ job, slot, attempt, task: task ?? null, at, notes: storedNotes(notes) });
  }

  end(
    { job, slot, attempt }: AttemptKey,
    {
      state,
      reason,
      task,
      at,
    }: { state: SlotState; reason: string | undefined; task?: string | undefined; at: number },
  ): Statement {
    return this.#sql.end.bind({ job, slot, attempt, state, reason: reason ?? null, task: task ?? null, at });
  }

  /** Attempts that have not ended. */
  async open(): Promise<readonly SlotRun[]> {
    return (await this.#db.read(this.#sql.open.bind({}))).map(runOf);
  }

  /** Newest first, those before a position. */
  async list(
    job: string,
    { limit, before }: { limit: number; before?: Pick<SlotRun, "slot" | "attempt"> | undefined },
  ): Promise<readonly SlotRun[]> {
    const { slot, attempt } = before ?? { slot: Number.MAX_SAFE_INTEGER, attempt: 0 };
    return (await this.#db.read(this.#sql.list.bind({ job, slot, attempt, limit }))).map(runOf);
  }

  /** The newest attempt of each job that began, by the job. */
  async newestRuns(): Promise<ReadonlyMap<string, SlotRun>> {
    const rows = await this.#db.read(this.#sql.newestRuns.bind({}));
    return new Map(rows.map((row) => [String(row[0]), runOf(row)]));
  }

  async attempt({ job, slot, attempt }: AttemptKey): Promise<SlotRun | undefined> {
    const [row] = await this.#db.read(this.#sql.attempt.bind({ job, slot, attempt }));
    return row === undefined ? undefined : runOf(row);
  }

  /** The last slot of a job's pattern that the ledger holds. */
  async newest(job: string): Promise<number | undefined> {
    const [row] = await this.#db.read(this.#sql.newest.bind({ job }));
    return whole(row?.[0]);
  }

  /** Whether a turn's conversation was marked by content from outside in that turn. */
  async isTainted(of: { readonly class: string; readonly context: string; readonly task: string }): Promise<boolean> {
    return (await this.#db.read(this.#sql.tainted.bind(of))).length > 0;
  }

  /** Removes what is older than is kept. `isJob`: whether there still is a job. */
  async sweep(now: number, isJob: (id: string) => boolean): Promise<void> {
    for (const [id, rows, oldest] of await this.#db.read(this.#sql.sizes.bind({}), "long")) {
      const job = String(id);
      const days = isJob(job) ? JOB_LIMITS.ledgerDays : JOB_LIMITS.deletedDays;
      const before = now - days * DAY_MS;
      const isOver = Number(rows) > JOB_LIMITS.ledgerRows || (oldest !== null && Number(oldest) < before);
      if (!isOver) continue;
      await this.#db.commit({ label: "schedule.sweep", statements: [this.#sql.trim.bind({ job, before })] });
    }
  }
}

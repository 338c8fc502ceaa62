import { type Database, namedStatement, type Row, type Statement } from "../database/index.ts";
import { type FireKind, UNCHECKED, WATCH_LIMITS, type Watch, type WatchFire, type WatchStatus } from "./watch.ts";

const COLUMNS = "id, class, context, spec, state, status, created_at, finished_at";

const statements = () => ({
  load: namedStatement(`SELECT ${COLUMNS} FROM watch ORDER BY created_at, id`),
  put: namedStatement(
    `INSERT INTO watch (${COLUMNS}) VALUES (:id, :class, :context, :spec, :state, :status, :createdAt, :finishedAt)
     ON CONFLICT (id) DO UPDATE SET class = :class, context = :context, spec = :spec, state = :state, status = :status,
       created_at = :createdAt, finished_at = :finishedAt`,
  ),
  remove: namedStatement("DELETE FROM watch WHERE id = :id"),
  removeFires: namedStatement("DELETE FROM watch_fire WHERE watch = :id"),
  addFire: namedStatement(
    `INSERT INTO watch_fire (watch, no, at, kind, task, reason, evidence)
     SELECT :watch, coalesce(max(no), 0) + 1, :at, :kind, :task, :reason, :evidence FROM watch_fire WHERE watch = :watch`,
  ),
  trimFires: namedStatement(
    "DELETE FROM watch_fire WHERE watch = :watch AND no <= (SELECT max(no) FROM watch_fire WHERE watch = :watch) - :most",
  ),
  fires: namedStatement(
    `SELECT no, at, kind, task, reason, evidence FROM watch_fire
     WHERE watch = :watch AND (:before IS NULL OR no < :before) ORDER BY no DESC LIMIT :limit`,
  ),
});

/** The rows of watches. Its reads throw DatabaseError. */
export class WatchStore {
  readonly #db: Database;
  readonly #sql = statements();

  constructor(db: Database) {
    this.#db = db;
  }

  async load(): Promise<readonly Watch[]> {
    return (await this.#db.read(this.#sql.load.bind({}))).map(watchOf);
  }

  put({ id, class: of, context, status, state, createdAt, finishedAt, ...spec }: Watch): Statement {
    const row = { id, class: of, context, status, createdAt, finishedAt: finishedAt ?? null };
    return this.#sql.put.bind({ ...row, spec: JSON.stringify(spec), state: JSON.stringify(state) });
  }

  remove(id: string): readonly Statement[] {
    return [this.#sql.remove.bind({ id }), this.#sql.removeFires.bind({ id })];
  }

  addFire(watch: string, { at, kind, task, reason, evidence }: Omit<WatchFire, "no">): readonly Statement[] {
    return [
      this.#sql.addFire.bind({ watch, at, kind, task: task ?? null, reason, evidence }),
      this.#sql.trimFires.bind({ watch, most: WATCH_LIMITS.fires }),
    ];
  }

  /** Newest first. */
  async fires(
    watch: string,
    { before, limit }: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<readonly WatchFire[]> {
    const rows = await this.#db.read(this.#sql.fires.bind({ watch, before: before ?? null, limit }));
    return rows.map(([no, at, kind, task, reason, evidence]) => ({
      ...{ no: Number(no), at: Number(at), kind: String(kind) as FireKind },
      task: task === null ? undefined : String(task),
      ...{ reason: String(reason), evidence: String(evidence) },
    }));
  }
}

function watchOf([id, of, context, spec, state, status, createdAt, finishedAt]: Row): Watch {
  return {
    ...(JSON.parse(String(spec)) as Watch),
    ...{ id: String(id), class: String(of), context: String(context), status: String(status) as WatchStatus },
    state: { ...UNCHECKED, ...(JSON.parse(String(state)) as Partial<Watch["state"]>) },
    ...{ createdAt: Number(createdAt), finishedAt: finishedAt === null ? undefined : Number(finishedAt) },
  };
}

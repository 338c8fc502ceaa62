import type { Clock } from "../clock/index.ts";
import { type Database, namedStatement, type Row, type Statement } from "../database/index.ts";
import type { CommittedEvent, TaskView } from "../event/index.ts";
import type { JournalReader } from "../projection/index.ts";
import { TurnCounter } from "./turn-counter.ts";
import { settles, type TraceIdOf, type TurnRow, turnRow } from "./turn-row.ts";
import { lateStatements, removeTurns } from "./turn-totals.ts";

export interface TelemetryOptions {
  /** The store with the schema `observation`; asked for when first something is written or read. */
  readonly db: () => Promise<Database>;
  readonly clock: Pick<Clock, "now">;
  /** Takes secrets out of names that callers, models and providers chose (S5). */
  readonly redact?: (text: string) => string;
  /** Names the version of the persona that leads now. */
  readonly persona?: () => string | null;
  /** Default: the turn is in no trace. */
  readonly trace?: TraceIdOf;
  /** Turns that are added up together. Default 1,000. */
  readonly addedUpTogether?: number;
}

const DAY_MS = 86_400_000;
/** Days a row is kept, and to the end of its day (B910). */
const KEEP_DAYS = 90;
/** Time between two rounds of removal. */
const SWEEP_MS = 3_600_000;
/** Rows per command, so that none holds the writing thread for long. */
const ROWS = 200;

/** Columns in the order of a row's JSON list. */
const COLUMNS = [
  ...["task", "seq", "class", "context", "origin", "state", "success", "model", "models", "input", "output"],
  ...["cache_read", "cache_write", "cost_usd", "duration_ms", "model_calls", "tool_calls", "tool_durations"],
  ...["context_tokens", "created_at", "ended_at", "persona", "trace"],
];

const COUNT_LATE = lateStatements(COLUMNS);

// One argument for any number of rows: a JSON list of lists. A row is as of an event; an older one changes nothing.
// Each is parsed once and then looked into, which halves what it takes beside looking into its text.
const INSERT = namedStatement(
  `WITH given AS MATERIALIZED (SELECT jsonb(value) AS row FROM json_each(:rows)) INSERT INTO turn (${COLUMNS.join(", ")}) SELECT ${COLUMNS.map((_, i) => `row ->> ${i}`).join(", ")} FROM given WHERE true ON CONFLICT (task) DO UPDATE SET ${COLUMNS.slice(
    1,
  )
    .map((name) => `${name} = excluded.${name}`)
    .join(", ")} WHERE excluded.seq >= turn.seq`,
);
const MOVE = namedStatement(
  "INSERT INTO cursor (reader, at) VALUES ('turn', :at) ON CONFLICT (reader) DO UPDATE SET at = excluded.at",
);
const CURSOR = namedStatement("SELECT at FROM cursor WHERE reader = 'turn'");
const WRITTEN = namedStatement(
  "SELECT task FROM turn WHERE task IN (SELECT value FROM json_each(:tasks)) AND success IS NOT NULL",
);

function listOf(row: TurnRow, redact: (text: string) => string): unknown[] {
  const models = row.models.map((one) => ({ ...one, model: redact(one.model) }));
  const durations = Object.fromEntries(Object.entries(row.toolDurations).map(([tool, ms]) => [redact(tool), ms]));
  return [
    row.task,
    row.seq,
    row.class,
    redact(row.context),
    row.origin,
    row.state,
    row.success === null ? null : Number(row.success),
    redact(row.model),
    JSON.stringify(models),
    row.input,
    row.output,
    row.cacheRead,
    row.cacheWrite,
    row.costUsd,
    row.durationMs,
    row.modelCalls,
    row.toolCalls,
    JSON.stringify(durations),
    row.contextTokens,
    row.createdAt,
    row.endedAt,
    row.persona,
    row.trace,
  ];
}

/** Rows of turns in a store of their own, read from the journal (R12): one per task, as of its newest event. */
export class Telemetry implements JournalReader {
  readonly name = "telemetry";
  readonly #options: TelemetryOptions;
  /** As JSON text: a flat string waits cheaper than a row of objects. */
  #rows: string[] = [];
  /** When the first of their turns ended. */
  #earliest = Number.POSITIVE_INFINITY;
  readonly #counter: TurnCounter;
  #sweptAt = 0;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    this.#counter = new TurnCounter(options.addedUpTogether);
  }

  take(view: Readonly<TaskView>, events: readonly CommittedEvent[]): number {
    if (!settles(events)) return 0;
    return this.#push(view, this.#options.persona?.() ?? null) ? 1 : 0;
  }

  replay(view: Readonly<TaskView>): void {
    this.#push(view, null);
  }

  #push(view: Readonly<TaskView>, persona: string | null): boolean {
    const { trace = () => null, redact = (text) => text } = this.#options;
    const row = turnRow(view, { persona, trace });
    if (row === undefined) return false;
    this.#rows.push(JSON.stringify(listOf(row, redact)));
    this.#earliest = Math.min(this.#earliest, row.endedAt);
    return true;
  }

  async flush(upTo: number | undefined): Promise<void> {
    const rows = this.#rows;
    const earliest = this.#earliest;
    this.#rows = [];
    this.#earliest = Number.POSITIVE_INFINITY;
    try {
      const db = await this.#options.db();
      const late = rows.length > 0 && earliest < (await this.#counter.mark(db));
      const statements: Statement[] = upTo === undefined ? [] : [MOVE.bind({ at: upTo })];
      for (let start = 0; start < rows.length || statements.length > 0; start += ROWS) {
        const some = rows.slice(start, start + ROWS);
        const last = start + ROWS >= rows.length;
        const list = { rows: `[${some.join(",")}]` };
        const insert =
          some.length === 0 ? [] : [...(late ? COUNT_LATE : []), INSERT].map((statement) => statement.bind(list));
        await db.commit({ label: "telemetry.turns", statements: last ? [...insert, ...statements] : insert });
        if (last) break;
      }
      if (rows.length > 0) await this.#counter.wrote(db, rows.length);
      await this.#sweep(db);
    } catch (error) {
      this.#rows = [...rows, ...this.#rows];
      this.#earliest = Math.min(earliest, this.#earliest);
      throw error;
    }
  }

  async cursor(): Promise<number | undefined> {
    const [row] = await this.#read(CURSOR.bind({}));
    return row === undefined ? undefined : Number(row[0]);
  }

  async written(tasks: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#read(WRITTEN.bind({ tasks: JSON.stringify(tasks) }));
    return new Set(rows.map((row) => String(row[0])));
  }

  async #read(statement: Statement): Promise<readonly Row[]> {
    return (await this.#options.db()).read(statement);
  }

  async #sweep(db: Database): Promise<void> {
    const now = this.#options.clock.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    await removeTurns(db, now - KEEP_DAYS * DAY_MS);
  }
}

import { type Database, namedStatement } from "../database/index.ts";
import { insightsOf, type TurnInsights } from "./turn-insights.ts";
import { CSV_HEAD, csvLine, REPORT_COLUMNS, type TurnReport, turnReport } from "./turn-report.ts";
import { readSeries, type SeriesRange, type TurnBucket } from "./turn-series.ts";
import { readSummary, type TurnSummary } from "./turn-summary.ts";
import { IS_TURN } from "./turn-totals.ts";
import { readTurnsUsing, type TurnFilter, type TurnsPage, type TurnsRequest } from "./turns-using.ts";

/** Where a page of turns ended. */
export interface TurnPosition {
  readonly at: number;
  readonly task: string;
}

const statements = {
  page: namedStatement(
    // The newest of what people and others asked for: the service's own work is in the export and the sums.
    `SELECT ${REPORT_COLUMNS} FROM turn WHERE ended_at <= :at AND (ended_at < :at OR task < :task) AND ${IS_TURN} ORDER BY ended_at DESC, task DESC LIMIT :limit`,
  ),
  after: namedStatement(
    `SELECT ${REPORT_COLUMNS} FROM turn WHERE ended_at >= :at AND (ended_at > :at OR task > :task) ORDER BY ended_at, task LIMIT :limit`,
  ),
};

const LATEST: TurnPosition = { at: Number.MAX_SAFE_INTEGER, task: "" };
/** Turns that insights look at. */
const INSIGHT_TURNS = 200;
/** Rows of one piece of an export. */
const EXPORT_ROWS = 500;

/** What clients read of turn rows (B46). Every read is bounded. */
export class TelemetryReports {
  readonly #db: () => Promise<Database>;

  constructor(db: () => Promise<Database>) {
    this.#db = db;
  }

  /** Turns that ended at `since` (epoch milliseconds) or later, and before `until`. @throws DatabaseError */
  async summary(since: number, until?: number): Promise<TurnSummary> {
    return readSummary(await this.#db(), since, until);
  }

  /** Turns, newest first, after the position where the page before ended. @throws DatabaseError */
  async recent(
    limit: number,
    after: TurnPosition = LATEST,
  ): Promise<{ readonly turns: readonly TurnReport[]; readonly next: TurnPosition | undefined }> {
    const rows = await (await this.#db()).read(statements.page.bind({ ...after, limit: limit + 1 }));
    const turns = rows.slice(0, limit).map(turnReport);
    const last = turns.at(-1);
    const next =
      rows.length > limit && last !== undefined ? { at: Date.parse(last.ended_at), task: last.task_id } : undefined;
    return { turns, next };
  }

  /** Turns that ended at `since` or later as CSV, oldest first, in pieces; the first is the head. @throws DatabaseError */
  async *csv(since: number): AsyncGenerator<string> {
    yield CSV_HEAD;
    for (let cursor: TurnPosition = { at: since, task: "" }; ; ) {
      const rows = await (await this.#db()).read(statements.after.bind({ ...cursor, limit: EXPORT_ROWS }), "long");
      const turns = rows.map(turnReport);
      const last = turns.at(-1);
      if (last === undefined) return;
      yield turns.map(csvLine).join("");
      cursor = { at: Date.parse(last.ended_at), task: last.task_id };
    }
  }

  /** What stands out among the newest turns. `savings`: dollars saved per cached token of a model, if that is known. */
  async insights(savings: (model: string) => number | undefined): Promise<TurnInsights> {
    const { turns } = await this.recent(INSIGHT_TURNS);
    return insightsOf(turns, savings);
  }

  /** The range in buckets, every one of them, oldest first. The caller bounds how many. @throws DatabaseError */
  async series(range: SeriesRange): Promise<readonly TurnBucket[]> {
    return readSeries(await this.#db(), range);
  }

  /** A page of the turns that used a model or a tool, newest first. @throws DatabaseError */
  async using(filter: TurnFilter, page: TurnsRequest): Promise<TurnsPage> {
    return readTurnsUsing(await this.#db(), filter, page);
  }
}

import { type Database, namedStatement, type Value } from "../database/index.ts";
import { roundDollars } from "../event/index.ts";
import { insightsOf, type TurnInsights } from "./turn-insights.ts";
import { CSV_HEAD, csvLine, REPORT_COLUMNS, type TurnReport, turnReport } from "./turn-report.ts";
import { readSummary, type TurnSummary } from "./turn-summary.ts";

/** One bucket of a series. */
export interface TurnBucket {
  /** ISO-8601. */
  readonly start: string;
  readonly turns: number;
  readonly successes: number;
  readonly failures: number;
  readonly canceled: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cost_usd: number | null;
  readonly llm_calls: number;
  readonly tool_calls: number;
  readonly avg_duration_ms: number | null;
  readonly max_duration_ms: number | null;
}

/** Where a page of turns ended. */
export interface TurnPosition {
  readonly at: number;
  readonly task: string;
}

/** What a series covers, epoch milliseconds; `bucketMs` long each. */
export interface SeriesRange {
  readonly since: number;
  readonly until: number;
  readonly bucketMs: number;
}

const statements = {
  page: namedStatement(
    `SELECT ${REPORT_COLUMNS} FROM turn WHERE ended_at <= :at AND (ended_at < :at OR task < :task) ORDER BY ended_at DESC, task DESC LIMIT :limit`,
  ),
  after: namedStatement(
    `SELECT ${REPORT_COLUMNS} FROM turn WHERE ended_at >= :at AND (ended_at > :at OR task > :task) ORDER BY ended_at, task LIMIT :limit`,
  ),
  series: namedStatement(
    `SELECT (ended_at - :since) / :bucket AS b, count(*), coalesce(sum(success), 0), sum(state = 'failed'), sum(state = 'canceled'), sum(input), sum(output), sum(cache_read), sum(cost_usd), sum(model_calls), sum(tool_calls), avg(duration_ms), max(duration_ms) FROM turn WHERE ended_at >= :since AND ended_at < :until GROUP BY b ORDER BY b`,
  ),
};

const LATEST: TurnPosition = { at: Number.MAX_SAFE_INTEGER, task: "" };
/** Turns that insights look at. */
const INSIGHT_TURNS = 200;
/** Rows of one piece of an export. */
const EXPORT_ROWS = 500;

const numberOrNull = (value: Value | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);
const dollarsOrNull = (value: Value | undefined): number | null =>
  value === null || value === undefined ? null : roundDollars(Number(value));

/** What clients read of turn rows (B46). Every read is bounded. */
export class TelemetryReports {
  readonly #db: () => Promise<Database>;

  constructor(db: () => Promise<Database>) {
    this.#db = db;
  }

  /** Turns that ended at `since` (epoch milliseconds) or later. @throws DatabaseError */
  async summary(since: number): Promise<TurnSummary> {
    return readSummary(await this.#db(), since);
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
  async series({ since, until, bucketMs }: SeriesRange): Promise<readonly TurnBucket[]> {
    const rows = await (await this.#db()).read(statements.series.bind({ since, until, bucket: bucketMs }), "long");
    const filled = new Map(rows.map((row) => [Number(row[0]), row]));
    const count = Math.max(0, Math.ceil((until - since) / bucketMs));
    return Array.from({ length: count }, (_, index) => {
      const [
        turns,
        successes,
        failures,
        canceled,
        input,
        output,
        cacheRead,
        cost,
        modelCalls,
        toolCalls,
        average,
        max,
      ] = filled.get(index)?.slice(1) ?? [];
      return {
        start: new Date(since + index * bucketMs).toISOString(),
        turns: Number(turns ?? 0),
        successes: Number(successes ?? 0),
        failures: Number(failures ?? 0),
        canceled: Number(canceled ?? 0),
        input_tokens: Number(input ?? 0),
        output_tokens: Number(output ?? 0),
        cache_read_input_tokens: Number(cacheRead ?? 0),
        cost_usd: dollarsOrNull(cost),
        llm_calls: Number(modelCalls ?? 0),
        tool_calls: Number(toolCalls ?? 0),
        avg_duration_ms: numberOrNull(average),
        max_duration_ms: numberOrNull(max),
      };
    });
  }
}

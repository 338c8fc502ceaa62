import { type Database, namedStatement, type Row, type Value } from "../database/index.ts";
import { roundDollars } from "../event/index.ts";
import { insightsOf, type TurnInsights } from "./turn-insights.ts";
import { CSV_HEAD, csvLine, hitRatio, REPORT_COLUMNS, type TurnReport, turnReport } from "./turn-report.ts";

/** Durations in milliseconds by nearest rank; null where there are none. */
export interface Percentiles {
  readonly p50_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
  readonly p99_duration_ms: number | null;
}

/** What all turns since a time came to. */
export interface TurnSummary extends Percentiles {
  readonly turns: number;
  readonly successes: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  /** Of the turns whose cost is known; null if none is. */
  readonly cost_usd: number | null;
  /** Turns that asked a model and whose cost is not known, tokens or price: what the cost leaves out. */
  readonly unpriced_turns: number;
  readonly llm_calls: number;
  readonly tool_calls: number;
  readonly avg_duration_ms: number | null;
  readonly success_rate: number | null;
  readonly cache_hit_ratio: number | null;
  readonly max_context_tokens: number;
  readonly p95_context_tokens: number | null;
  readonly by_model: readonly (Percentiles & {
    readonly model: string;
    readonly turns: number;
    readonly cost_usd: number | null;
    readonly total_tokens: number;
  })[];
  readonly by_tool: readonly (Percentiles & { readonly tool: string; readonly calls: number })[];
}

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

const SUMS =
  "count(*), coalesce(sum(success), 0), coalesce(sum(input), 0), coalesce(sum(output), 0), coalesce(sum(cache_read), 0), coalesce(sum(cache_write), 0), sum(cost_usd), count(*) FILTER (WHERE cost_usd IS NULL AND model_calls > 0), coalesce(sum(model_calls), 0), coalesce(sum(tool_calls), 0), avg(duration_ms), coalesce(max(context_tokens), 0), count(success)";

/** The value at rank ceil(n * percent / 100) of rows that know their rank `r` of `n`. */
const at = (percent: number, value: string): string =>
  `max(CASE WHEN r = max(1, (n * ${percent} + 99) / 100) THEN ${value} END)`;
const RANKS = [50, 95, 99].map((percent) => at(percent, "v")).join(", ");

const statements = {
  totals: namedStatement(`SELECT ${SUMS} FROM turn WHERE ended_at >= :since`),
  durations: namedStatement(
    `SELECT ${RANKS} FROM (SELECT duration_ms AS v, row_number() OVER (ORDER BY duration_ms) AS r, count(*) OVER () AS n FROM turn WHERE ended_at >= :since)`,
  ),
  contexts: namedStatement(
    `SELECT ${at(95, "v")} FROM (SELECT context_tokens AS v, row_number() OVER (ORDER BY context_tokens) AS r, count(*) OVER () AS n FROM turn WHERE ended_at >= :since)`,
  ),
  byModel: namedStatement(
    `SELECT model, count(*), sum(cost), sum(tokens), ${RANKS} FROM (SELECT model, cost_usd AS cost, input + output AS tokens, duration_ms AS v, row_number() OVER (PARTITION BY model ORDER BY duration_ms) AS r, count(*) OVER (PARTITION BY model) AS n FROM turn WHERE ended_at >= :since AND model <> '') GROUP BY model ORDER BY count(*) DESC, model LIMIT 100`,
  ),
  byTool: namedStatement(
    `SELECT tool, count(*), ${RANKS} FROM (SELECT t.key AS tool, d.value AS v, row_number() OVER (PARTITION BY t.key ORDER BY d.value) AS r, count(*) OVER (PARTITION BY t.key) AS n FROM turn, json_each(turn.tool_durations) AS t, json_each(t.value) AS d WHERE turn.ended_at >= :since AND turn.tool_calls > 0) GROUP BY tool ORDER BY count(*) DESC, tool LIMIT 200`,
  ),
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

function percentiles(row: readonly (Value | undefined)[]): Percentiles {
  const [p50, p95, p99] = row;
  return {
    p50_duration_ms: numberOrNull(p50),
    p95_duration_ms: numberOrNull(p95),
    p99_duration_ms: numberOrNull(p99),
  };
}

/** What clients read of turn rows (document 2, telemetry). Every read is bounded. */
export class TelemetryReports {
  readonly #db: () => Promise<Database>;

  constructor(db: () => Promise<Database>) {
    this.#db = db;
  }

  /** Turns that ended at `since` (epoch milliseconds) or later. @throws DatabaseError */
  async summary(since: number): Promise<TurnSummary> {
    const db = await this.#db();
    const read = (name: "totals" | "durations" | "contexts" | "byModel" | "byTool"): Promise<readonly Row[]> =>
      db.read(statements[name].bind({ since }), "long");
    const [totals, durations, contexts, models, tools] = await Promise.all([
      read("totals"),
      read("durations"),
      read("contexts"),
      read("byModel"),
      read("byTool"),
    ]);
    const [turns, successes, input, output, cacheRead, cacheWrite] = (totals[0] ?? []).map(Number);
    const [cost, unpriced, modelCalls, toolCalls, average, context, ended] = (totals[0] ?? []).slice(6);
    return {
      turns: turns ?? 0,
      successes: successes ?? 0,
      input_tokens: input ?? 0,
      output_tokens: output ?? 0,
      total_tokens: (input ?? 0) + (output ?? 0),
      cache_read_input_tokens: cacheRead ?? 0,
      cache_creation_input_tokens: cacheWrite ?? 0,
      cost_usd: dollarsOrNull(cost),
      unpriced_turns: Number(unpriced),
      llm_calls: Number(modelCalls),
      tool_calls: Number(toolCalls),
      avg_duration_ms: numberOrNull(average),
      success_rate: Number(ended) === 0 ? null : (successes ?? 0) / Number(ended),
      cache_hit_ratio: hitRatio(cacheRead ?? 0, input ?? 0),
      max_context_tokens: Number(context),
      ...percentiles(durations[0] ?? []),
      p95_context_tokens: numberOrNull(contexts[0]?.[0]),
      by_model: models.map(([model, count, dollars, tokens, ...ranks]) => ({
        model: String(model),
        turns: Number(count),
        cost_usd: dollarsOrNull(dollars),
        total_tokens: Number(tokens),
        ...percentiles(ranks),
      })),
      by_tool: tools.map(([tool, count, ...ranks]) => ({
        tool: String(tool),
        calls: Number(count),
        ...percentiles(ranks),
      })),
    };
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
    for (let place: TurnPosition = { at: since, task: "" }; ; ) {
      const rows = await (await this.#db()).read(statements.after.bind({ ...place, limit: EXPORT_ROWS }), "long");
      const turns = rows.map(turnReport);
      const last = turns.at(-1);
      if (last === undefined) return;
      yield turns.map(csvLine).join("");
      place = { at: Date.parse(last.ended_at), task: last.task_id };
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

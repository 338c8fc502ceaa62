import type { Database, Row, Value } from "../database/index.ts";
import { roundDollars } from "../event/index.ts";
import { hitRatio } from "./turn-report.ts";
import { BUCKETS, rangeSince, TOTALS } from "./turn-totals.ts";

/** Milliseconds by nearest rank, at most 1.6 % below the exact value; null where there are none. */
export interface Percentiles {
  readonly p50_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
  readonly p99_duration_ms: number | null;
}

/** Totals of the turns of a time. */
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
    /** Of those that ended. */
    readonly failures: number;
    readonly cost_usd: number | null;
    readonly total_tokens: number;
  })[];
  readonly by_tool: readonly (Percentiles & { readonly tool: string; readonly calls: number })[];
}

const MAX_MODELS = 100;
const MAX_TOOLS = 200;

/** How many values lie at and above each low end, in ascending order. */
type Histogram = readonly (readonly [low: number, n: number])[];

const dollarsOrNull = (value: Value | undefined): number | null =>
  value === null || value === undefined ? null : roundDollars(Number(value));

const countOf = (histogram: Histogram): number => histogram.reduce((sum, [, n]) => sum + n, 0);

/** The value at rank ceil(count * percent / 100). */
function percentile(histogram: Histogram, percent: number): number | null {
  let rank = Math.max(1, Math.ceil((countOf(histogram) * percent) / 100));
  for (const [low, n] of histogram) {
    rank -= n;
    if (rank <= 0) return low;
  }
  return null;
}

function percentiles(histogram: Histogram): Percentiles {
  return {
    p50_duration_ms: percentile(histogram, 50),
    p95_duration_ms: percentile(histogram, 95),
    p99_duration_ms: percentile(histogram, 99),
  };
}

function merged(histograms: Iterable<Histogram>): Histogram {
  const sums = new Map<number, number>();
  for (const histogram of histograms) for (const [low, n] of histogram) sums.set(low, (sums.get(low) ?? 0) + n);
  return [...sums].sort(([a], [b]) => a - b);
}

/** Histograms by name, of one kind. */
function histogramsOf(rows: readonly Row[], kind: string): ReadonlyMap<string, Histogram> {
  const byName = new Map<string, [number, number][]>();
  for (const [rowKind, name, low, n] of rows) {
    if (rowKind !== kind) continue;
    const histogram = byName.get(String(name)) ?? [];
    byName.set(String(name), histogram);
    histogram.push([Number(low), Number(n)]);
  }
  return byName;
}

/** More first, then by name. */
function byCount<T extends { readonly name: string; readonly count: number }>(a: T, b: T): number {
  return b.count - a.count || (a.name < b.name ? -1 : 1);
}

/** Reads the totals of turns that ended at `since` (epoch milliseconds; 0: all) or later, and before `until`. @throws DatabaseError */
export async function readSummary(db: Database, since: number, until?: number): Promise<TurnSummary> {
  const range = rangeSince(since, until);
  const [totals, buckets] = await Promise.all([
    db.read(TOTALS.bind(range), "long"),
    db.read(BUCKETS.bind(range), "long"),
  ]);
  const sum = (column: number): number => totals.reduce((all, row) => all + Number(row[column] ?? 0), 0);
  const costs = totals.flatMap((row) => (row[7] === null ? [] : [Number(row[7])]));
  const turns = sum(1);
  const ended = sum(13);
  const durations = histogramsOf(buckets, "duration");
  const contexts = histogramsOf(buckets, "context").get("") ?? [];
  const models = totals
    .filter(([model]) => model !== "")
    .map((row) => ({ name: String(row[0]), count: Number(row[1]), row }));
  const tools = [...histogramsOf(buckets, "tool")].map(([name, histogram]) => ({
    ...{ name, count: countOf(histogram), histogram },
  }));
  return {
    turns,
    successes: sum(2),
    input_tokens: sum(3),
    output_tokens: sum(4),
    total_tokens: sum(3) + sum(4),
    cache_read_input_tokens: sum(5),
    cache_creation_input_tokens: sum(6),
    cost_usd: costs.length === 0 ? null : roundDollars(costs.reduce((all, cost) => all + cost, 0)),
    unpriced_turns: sum(8),
    llm_calls: sum(9),
    tool_calls: sum(10),
    avg_duration_ms: turns === 0 ? null : sum(11) / turns,
    success_rate: ended === 0 ? null : sum(2) / ended,
    cache_hit_ratio: hitRatio(sum(5), sum(3)),
    max_context_tokens: totals.reduce((most, row) => Math.max(most, Number(row[12] ?? 0)), 0),
    ...percentiles(merged(durations.values())),
    p95_context_tokens: percentile(contexts, 95),
    by_model: models
      .sort(byCount)
      .slice(0, MAX_MODELS)
      .map(({ name, count, row }) => ({
        model: name,
        turns: count,
        failures: Number(row[13]) - Number(row[2]),
        cost_usd: dollarsOrNull(row[7]),
        total_tokens: Number(row[3]) + Number(row[4]),
        ...percentiles(durations.get(name) ?? []),
      })),
    by_tool: tools
      .sort(byCount)
      .slice(0, MAX_TOOLS)
      .map(({ name, count, histogram }) => ({ tool: name, calls: count, ...percentiles(histogram) })),
  };
}

/** Turns over time. */
import { type Database, namedStatement, type Row, type Value } from "../database/index.ts";
import { roundDollars } from "../event/index.ts";
import { bucketOf, COLUMNS, IS_TURN, MARK, SUMS_OF_SUMS, SUMS_OF_TURNS } from "./turn-totals.ts";

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
  /** By nearest rank; like the longest at most 1.6 % below the exact value. */
  readonly p50_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
  readonly max_duration_ms: number | null;
}

/** What a series covers, epoch milliseconds; `bucketMs` long each. */
export interface SeriesRange {
  readonly since: number;
  readonly until: number;
  readonly bucketMs: number;
}

/** The levels of the sums by length of a period; any other length is read from rows. */
const LEVELS: ReadonlyMap<number, number> = new Map([
  [86_400_000, 1],
  [3_600_000, 2],
]);
const NO_LEVEL = 3;

const IN_RANGE = "level = :level AND period >= :since AND period < :until";
/** Rows that are not in the sums of the level. */
const ROWS = [
  `turn WHERE success IS NOT NULL AND ended_at >= max(:since, CASE :level WHEN ${NO_LEVEL} THEN 0 ELSE ${MARK} END) AND ended_at < :until`,
  "turn WHERE success IS NULL AND ended_at >= :since AND ended_at < :until",
];
const at = (time: string): string => `(${time} - :since) / :bucket`;

const SUMS = namedStatement(
  `SELECT b, ${SUMS_OF_SUMS} FROM (
SELECT ${at("period")} AS b, ${COLUMNS.join(", ")} FROM turn_total WHERE ${IN_RANGE}
UNION ALL ${ROWS.map((from) => `SELECT ${at("ended_at")} AS b, ${SUMS_OF_TURNS} FROM ${from} GROUP BY 1`).join("\nUNION ALL ")}
) GROUP BY b`,
);
const ENDS = namedStatement(
  `SELECT ${at("ended_at")} AS b, sum(state = 'failed'), sum(state = 'canceled') FROM turn INDEXED BY turn_unsuccessful
WHERE success = 0 AND ended_at >= :since AND ended_at < :until AND ${IS_TURN} GROUP BY b`,
);
const DURATIONS = namedStatement(
  `WITH histogram AS (SELECT b, low, sum(n) AS n FROM (
SELECT ${at("period")} AS b, low, n FROM turn_bucket WHERE ${IN_RANGE} AND kind = 'duration'
UNION ALL ${ROWS.map((from) => `SELECT ${at("ended_at")}, ${bucketOf("duration_ms")}, 1 FROM ${from} AND ${IS_TURN}`).join("\nUNION ALL ")}
) GROUP BY b, low),
ranked AS (SELECT b, low, sum(n) OVER (PARTITION BY b ORDER BY low) AS rank, sum(n) OVER (PARTITION BY b) AS turns FROM histogram)
SELECT b, min(low) FILTER (WHERE rank * 100 >= turns * 50), min(low) FILTER (WHERE rank * 100 >= turns * 95), max(low) FROM ranked GROUP BY b`,
);

/** Reads the range in buckets, every one of them, oldest first: days and hours from the sums. @throws DatabaseError */
export async function readSeries(
  db: Database,
  { since, until, bucketMs }: SeriesRange,
): Promise<readonly TurnBucket[]> {
  const level = since % bucketMs === 0 && until % bucketMs === 0 ? LEVELS.get(bucketMs) : undefined;
  const range = { since, until, bucket: bucketMs, level: level ?? NO_LEVEL };
  const [sums, ends, durations] = await Promise.all([
    db.read(SUMS.bind(range), "long"),
    db.read(ENDS.bind({ since, until, bucket: bucketMs }), "long"),
    db.read(DURATIONS.bind(range), "long"),
  ]);
  const [sumsOf, endsOf, durationsOf] = [sums, ends, durations].map(byBucket) as [Rows, Rows, Rows];
  const count = Math.max(0, Math.ceil((until - since) / bucketMs));
  return Array.from({ length: count }, (_, index) => {
    const start = new Date(since + index * bucketMs).toISOString();
    return { start, ...bucketAt(sumsOf.get(index), endsOf.get(index), durationsOf.get(index)) };
  });
}

type Rows = ReadonlyMap<number, Row>;

function byBucket(rows: readonly Row[]): Rows {
  return new Map(rows.map((row) => [Number(row[0]), row]));
}

function bucketAt(
  sums: Row | undefined,
  [, failures, canceled]: Row = [],
  [, median, p95, longest]: Row = [],
): Omit<TurnBucket, "start"> {
  const sum = (column: string): Value | undefined => sums?.[COLUMNS.indexOf(column) + 1];
  const total = (column: string): number => Number(sum(column) ?? 0);
  const cost = sum("cost_usd");
  const turns = total("turns");
  return {
    turns,
    successes: total("successes"),
    failures: Number(failures ?? 0),
    canceled: Number(canceled ?? 0),
    input_tokens: total("input"),
    output_tokens: total("output"),
    cache_read_input_tokens: total("cache_read"),
    cost_usd: cost === null || cost === undefined ? null : roundDollars(Number(cost)),
    llm_calls: total("model_calls"),
    tool_calls: total("tool_calls"),
    avg_duration_ms: turns === 0 ? null : total("duration_ms") / turns,
    p50_duration_ms: numberOrNull(median),
    p95_duration_ms: numberOrNull(p95),
    max_duration_ms: numberOrNull(longest),
  };
}

function numberOrNull(value: Value | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/**
 * Turns added up per hour, per day and over all (the tables `turn_total` and `turn_bucket`), in the command that writes
 * their rows. A turn is counted once, when its end is first written: a row that is written again changes nothing.
 */
import { type Database, namedStatement, type Statement } from "../database/index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rows of turns that are removed in one command. */
const REMOVED = 500;

const LEVELS = "(SELECT 0 AS level UNION ALL SELECT 1 UNION ALL SELECT 2)";
const PERIOD = `CASE level WHEN 0 THEN 0 WHEN 1 THEN ended_at - ended_at % ${DAY_MS} ELSE ended_at - ended_at % ${HOUR_MS} END`;
/** What is added up of turns, in the order of the columns after `model`. */
const SUMS = `count(*), coalesce(sum(success), 0), sum(input), sum(output), sum(cache_read), sum(cache_write), sum(cost_usd),
count(*) FILTER (WHERE cost_usd IS NULL AND model_calls > 0), sum(model_calls), sum(tool_calls), sum(duration_ms), max(context_tokens)`;
const SUMMED = [
  ...["turns", "successes", "input", "output", "cache_read", "cache_write", "unpriced", "model_calls", "tool_calls"],
  "duration_ms",
];
const ADDED = [
  ...SUMMED.map((column) => `${column} = turn_total.${column} + excluded.${column}`),
  "cost_usd = coalesce(turn_total.cost_usd + excluded.cost_usd, turn_total.cost_usd, excluded.cost_usd)",
  "max_context_tokens = max(turn_total.max_context_tokens, excluded.max_context_tokens)",
].join(", ");

/** The values of turns of which percentiles are reported. `from`: a table of turns with a condition. */
function samples(from: string): string {
  return `SELECT ended_at, 'duration' AS kind, model AS name, duration_ms AS v FROM ${from}
UNION ALL SELECT ended_at, 'context', '', context_tokens FROM ${from}
UNION ALL SELECT ended_at, 'tool', t.key, CAST(d.value AS INTEGER) FROM (SELECT ended_at, tool_durations FROM ${from}), json_each(tool_durations) AS t, json_each(t.value) AS d`;
}

/** The same values with the bucket each lies in: exact below 128, above it by 64 steps for each doubling. */
function bucketed(from: string): string {
  const quarter = ["8", "4", "2"].map((digit, i) => `WHEN substr(x, 1, 1) >= '${digit}' THEN ${3 - i}`).join(" ");
  return `SELECT ended_at, kind, name, (v >> s) << s AS low FROM (SELECT ended_at, kind, name, v,
max(0, 4 * (length(x) - 1) + CASE ${quarter} ELSE 0 END - 6) AS s FROM (SELECT *, printf('%x', v) AS x FROM (${samples(from)})))`;
}

/** The statements that count rows in. `columns`: of a row's JSON list, in order. Run before the rows are written. */
export function countStatements(columns: readonly string[]) {
  const names = [
    ...["task", "seq", "success", "model", "input", "output", "cache_read", "cache_write", "cost_usd", "duration_ms"],
    ...["model_calls", "tool_calls", "tool_durations", "context_tokens", "ended_at"],
  ];
  const read = names.map((name) => `row ->> ${columns.indexOf(name)} AS ${name}`).join(", ");
  const fresh = `WITH fresh AS MATERIALIZED (SELECT *, max(seq) FROM (SELECT ${read} FROM (SELECT jsonb(value) AS row FROM json_each(:rows))) AS given
WHERE success IS NOT NULL AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.task = given.task AND turn.success IS NOT NULL) GROUP BY task)`;
  return [
    namedStatement(
      `${fresh} INSERT INTO turn_total SELECT level, ${PERIOD} AS period, model, ${SUMS}
FROM fresh CROSS JOIN ${LEVELS} WHERE true GROUP BY 1, 2, 3 ON CONFLICT DO UPDATE SET ${ADDED}`,
    ),
    namedStatement(
      `${fresh} INSERT INTO turn_bucket SELECT level, ${PERIOD} AS period, kind, name, low, count(*)
FROM (${bucketed("fresh")}) CROSS JOIN ${LEVELS} WHERE true GROUP BY 1, 2, 3, 4, 5 ON CONFLICT DO UPDATE SET n = turn_bucket.n + excluded.n`,
    ),
  ];
}

/** Turns that ended at `since` or later: whole days and hours as they are added up, the rest and those that wait as rows. */
const COLUMNS =
  "turns, successes, input, output, cache_read, cache_write, cost_usd, unpriced, model_calls, tool_calls, duration_ms, max_context_tokens";
const ADDED_UP = [
  "level = 0 AND period = :whole",
  "level = 1 AND period >= :day",
  "level = 2 AND period >= :hour AND period < :day",
];
const ROWS = [
  "turn WHERE success IS NOT NULL AND ended_at >= :since AND ended_at < :rows",
  "turn WHERE success IS NULL AND ended_at >= :since",
];

/** Totals by model. */
export const TOTALS = namedStatement(
  `SELECT model, sum(turns), sum(successes), sum(input), sum(output), sum(cache_read), sum(cache_write), sum(cost_usd), sum(unpriced),
sum(model_calls), sum(tool_calls), sum(duration_ms), max(max_context_tokens), sum(ended) FROM (
${ADDED_UP.map((where) => `SELECT model, ${COLUMNS}, turns AS ended FROM turn_total WHERE ${where}`).join("\nUNION ALL ")}
UNION ALL ${ROWS.map((from) => `SELECT model, ${SUMS}, count(success) FROM ${from} GROUP BY model`).join("\nUNION ALL ")}
) GROUP BY model`,
);
/** How many values lie in each bucket, in ascending order. */
export const BUCKETS = namedStatement(
  `SELECT kind, name, low, sum(n) FROM (
${ADDED_UP.map((where) => `SELECT kind, name, low, n FROM turn_bucket WHERE ${where}`).join("\nUNION ALL ")}
UNION ALL ${ROWS.map((from) => `SELECT kind, name, low, 1 FROM (${bucketed(from)})`).join("\nUNION ALL ")}
) GROUP BY kind, name, low ORDER BY kind, name, low`,
);

/** What `TOTALS` and `BUCKETS` take for turns that ended at `since` (epoch milliseconds; 0: all) or later. */
export function rangeSince(since: number) {
  const never = Number.MAX_SAFE_INTEGER;
  // Where everything is wanted, it is added up already: no hour, no day and no row of a turn that ended is read.
  if (since <= 0) return { since: 0, whole: 0, rows: 0, hour: never, day: never };
  const hour = Math.ceil(since / HOUR_MS) * HOUR_MS;
  return { since, whole: -1, rows: hour, hour, day: Math.ceil(hour / DAY_MS) * DAY_MS };
}

const OLD = namedStatement("SELECT 1 FROM turn WHERE ended_at < :before LIMIT 1");
const REMOVE = namedStatement(
  `DELETE FROM turn WHERE task IN (SELECT task FROM turn WHERE ended_at < :before ORDER BY ended_at LIMIT ${REMOVED})`,
);
const OLD_DAY = namedStatement("SELECT 1 FROM turn_total WHERE level = 1 AND period < :before LIMIT 1");
const DROP_DAYS = [
  "DELETE FROM turn_total WHERE level IN (1, 2) AND period < :before",
  "DELETE FROM turn_bucket WHERE level IN (1, 2) AND period < :before",
  "DELETE FROM turn_total WHERE level = 0",
  "DELETE FROM turn_bucket WHERE level = 0",
  `INSERT INTO turn_total SELECT 0, 0, model, sum(turns), sum(successes), sum(input), sum(output), sum(cache_read), sum(cache_write),
sum(cost_usd), sum(unpriced), sum(model_calls), sum(tool_calls), sum(duration_ms), max(max_context_tokens) FROM turn_total WHERE level = 1 GROUP BY model`,
  "INSERT INTO turn_bucket SELECT 0, 0, kind, name, low, sum(n) FROM turn_bucket WHERE level = 1 GROUP BY kind, name, low",
].map((sql) => namedStatement(sql));

/** Removes whole days that ended before `time` (epoch milliseconds), rows and sums. @throws DatabaseError */
export async function removeTurns(db: Database, time: number): Promise<void> {
  const before = time - (time % DAY_MS);
  const commit = (statements: readonly Statement[]) => db.commit({ label: "telemetry.sweep", statements });
  while ((await db.read(OLD.bind({ before }))).length > 0) await commit([REMOVE.bind({ before })]);
  if ((await db.read(OLD_DAY.bind({ before }))).length === 0) return;
  await commit(DROP_DAYS.map((statement) => statement.bind({ before })));
}

/**
 * Turns added up per hour, per day and over all, in the tables `turn_total` and `turn_bucket`.
 *
 * Invariants
 *  TT1  They hold exactly the stored turns that ended before the mark (the row `turn_total` of `cursor`), each once. A
 *       reader adds the rows from the mark on.
 *  TT2  The mark moves in the command that adds up what it passes: many turns at once, for one flush at a time takes ten
 *       times as long (turn-counter.ts).
 *  TT3  A turn that ended before the mark and is written later, after a restart or by a clock that was set back, is added
 *       up in the command that writes it, unless it was.
 *  TT4  What the service asked a model for itself is no turn: its tokens, calls and cost are added up, and it is in no
 *       count, duration or size.
 */
import { type Database, namedStatement, type Statement } from "../database/index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rows of turns that are removed in one command. */
const REMOVED = 500;

/** The time before which turns are in the sums (TT1). */
export const MARK = "(SELECT at FROM cursor WHERE reader = 'turn_total')";
const LEVELS = "(SELECT 0 AS level UNION ALL SELECT 1 UNION ALL SELECT 2)";
const HOUR = `ended_at - ended_at % ${HOUR_MS}`;
const PERIOD = `CASE level WHEN 0 THEN 0 WHEN 1 THEN hour - hour % ${DAY_MS} ELSE hour END`;

/** A turn of someone; others are the service's own, which count by their tokens and cost alone (TT4). */
export const IS_TURN = "origin <> 'auxiliary'";
/** What is added up of turns, by column of `turn_total`. */
const SUMS = {
  turns: `count(*) FILTER (WHERE ${IS_TURN})`,
  successes: `coalesce(sum(success) FILTER (WHERE ${IS_TURN}), 0)`,
  input: "sum(input)",
  output: "sum(output)",
  cache_read: "sum(cache_read)",
  cache_write: "sum(cache_write)",
  cost_usd: "sum(cost_usd)",
  unpriced: "count(*) FILTER (WHERE cost_usd IS NULL AND model_calls > 0)",
  model_calls: "sum(model_calls)",
  tool_calls: "sum(tool_calls)",
  duration_ms: `coalesce(sum(duration_ms) FILTER (WHERE ${IS_TURN}), 0)`,
  max_context_tokens: `coalesce(max(context_tokens) FILTER (WHERE ${IS_TURN}), 0)`,
};
export const COLUMNS = Object.keys(SUMS);
export const SUMS_OF_TURNS = COLUMNS.map((column) => `${SUMS[column as keyof typeof SUMS]} AS ${column}`).join(", ");
export const SUMS_OF_SUMS = COLUMNS.map(
  (column) => `${column === "max_context_tokens" ? "max" : "sum"}(${column})`,
).join(", ");
const ADDED = COLUMNS.map((column) => {
  const [old, more] = [`turn_total.${column}`, `excluded.${column}`];
  if (column === "cost_usd") return `${column} = coalesce(${old} + ${more}, ${old}, ${more})`;
  return `${column} = ${column === "max_context_tokens" ? `max(${old}, ${more})` : `${old} + ${more}`}`;
}).join(", ");

/** The bucket of a value: exact below 128, above it by 64 steps for each doubling. */
export function bucketOf(value: string): string {
  const shifts = Array.from({ length: 46 }, (_, i) => `WHEN ${value} < ${2 ** (i + 8)} THEN ${i + 1}`);
  const shift = `CASE ${shifts.join(" ")} ELSE 47 END`;
  return `CASE WHEN ${value} < 128 THEN ${value} ELSE (${value} >> (${shift})) << (${shift}) END`;
}

/** The table expression `histogram` of turns. `from`: a table of turns with a condition; `hour`: an expression to group by. */
function histogramOf(from: string, hour: string): string {
  return `pair AS MATERIALIZED (SELECT ${hour} AS hour, model, ${bucketOf("duration_ms")} AS ms, ${bucketOf("context_tokens")} AS tokens, count(*) AS n
FROM ${from} AND ${IS_TURN} GROUP BY 1, 2, 3, 4),
histogram AS MATERIALIZED (SELECT hour, 'duration' AS kind, model AS name, ms AS low, sum(n) AS n FROM pair GROUP BY 1, 3, 4
UNION ALL SELECT hour, 'context', '', tokens, sum(n) FROM pair GROUP BY 1, 4
UNION ALL SELECT hour, 'tool', name, ${bucketOf("v")} AS low, count(*) FROM (SELECT hour, t.key AS name, CAST(d.value AS INTEGER) AS v
FROM (SELECT ${hour} AS hour, tool_durations FROM ${from} AND tool_durations <> '{}'), json_each(tool_durations) AS t, json_each(t.value) AS d) GROUP BY 1, 3, 4)`;
}

/** The statements that add turns up. `from`: a table of turns with a condition; `given`: the table expression it names, if any. */
function addUp(from: string, given = ""): readonly string[] {
  return [
    `WITH ${given}sums AS MATERIALIZED (SELECT ${HOUR} AS hour, model, ${SUMS_OF_TURNS} FROM ${from} GROUP BY 1, 2)
INSERT INTO turn_total SELECT level, ${PERIOD} AS period, model, ${SUMS_OF_SUMS}
FROM sums CROSS JOIN ${LEVELS} WHERE true GROUP BY 1, 2, 3 ON CONFLICT DO UPDATE SET ${ADDED}`,
    `WITH ${given}${histogramOf(from, HOUR)}
INSERT INTO turn_bucket SELECT level, ${PERIOD} AS period, kind, name, low, sum(n)
FROM histogram CROSS JOIN ${LEVELS} WHERE true GROUP BY 1, 2, 3, 4, 5 ON CONFLICT DO UPDATE SET n = turn_bucket.n + excluded.n`,
  ];
}

/** Add up the turns that ended from the mark on and before `to`, and move the mark there. */
export const MOVE_MARK = [
  ...addUp(`turn WHERE success IS NOT NULL AND ended_at >= ${MARK} AND ended_at < :to`),
  "UPDATE cursor SET at = :to WHERE reader = 'turn_total' AND at < :to",
].map((sql) => namedStatement(sql));

/** The mark, and how many rows there are from it on. */
export const FROM_MARK = namedStatement(
  "SELECT at, (SELECT count(*) FROM turn WHERE ended_at >= cursor.at) FROM cursor WHERE reader = 'turn_total'",
);
/** When the turn ended that is the `count`th after the first from the mark on. */
export const AFTER_MARK = namedStatement(
  `SELECT ended_at FROM turn WHERE ended_at >= ${MARK} ORDER BY ended_at LIMIT 1 OFFSET :count`,
);

/**
 * The statements that add up those `:rows` that ended before the mark, and did not before (TT3). `columns`: of a row's
 * JSON list, in order. Run before the rows are written.
 */
export function lateStatements(columns: readonly string[]) {
  const names = [
    ...[
      "task",
      "seq",
      "origin",
      "success",
      "model",
      "input",
      "output",
      "cache_read",
      "cache_write",
      "cost_usd",
      "duration_ms",
    ],
    ...["model_calls", "tool_calls", "tool_durations", "context_tokens", "ended_at"],
  ];
  const read = names.map((name) => `row ->> ${columns.indexOf(name)} AS ${name}`).join(", ");
  const given = `late AS MATERIALIZED (SELECT *, max(seq) FROM (SELECT ${read} FROM (SELECT jsonb(value) AS row FROM json_each(:rows))) AS given
WHERE success IS NOT NULL AND ended_at < ${MARK} AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.task = given.task AND turn.success IS NOT NULL) GROUP BY task),
`;
  return addUp("late WHERE true", given).map((sql) => namedStatement(sql));
}

/**
 * Turns that ended at `since` or later and before `until`, as they are added up in whole days and hours. Beside those: rows of
 * the hours in which the two lie, those from the mark on, and those that wait.
 */
const ADDED_UP = [
  "level = 0 AND period = :whole",
  "level = 1 AND period >= :day AND period < :lastDay",
  "level = 2 AND period >= :hour AND period < min(:day, :lastHour)",
  "level = 2 AND period >= max(:day, :lastDay) AND period < :lastHour",
];
const ROWS = [
  "turn WHERE success IS NOT NULL AND ended_at >= :since AND ended_at < min(:rows, :until)",
  `turn WHERE success IS NOT NULL AND ended_at >= max(:rows, min(:lastHour, ${MARK})) AND ended_at < :until`,
  "turn WHERE success IS NULL AND ended_at >= :since AND ended_at < :until",
];
const READ = "origin, model, duration_ms, context_tokens, tool_durations";

/** Totals by model. */
export const TOTALS = namedStatement(
  `SELECT model, ${SUMS_OF_SUMS}, sum(ended) FROM (
${ADDED_UP.map((where) => `SELECT model, ${COLUMNS.join(", ")}, turns AS ended FROM turn_total WHERE ${where}`).join("\nUNION ALL ")}
UNION ALL ${ROWS.map((from) => `SELECT model, ${SUMS_OF_TURNS}, count(success) FILTER (WHERE ${IS_TURN}) FROM ${from} GROUP BY model`).join("\nUNION ALL ")}
) GROUP BY model`,
);
/** How many values lie in each bucket, in ascending order. */
export const BUCKETS = namedStatement(
  `WITH beside AS MATERIALIZED (${ROWS.map((from) => `SELECT ${READ} FROM ${from}`).join("\nUNION ALL ")}),
${histogramOf("beside WHERE true", "0")} SELECT kind, name, low, sum(n) FROM (
${ADDED_UP.map((where) => `SELECT kind, name, low, n FROM turn_bucket WHERE ${where}`).join("\nUNION ALL ")}
UNION ALL SELECT kind, name, low, n FROM histogram
) GROUP BY kind, name, low ORDER BY kind, name, low`,
);

/** What `TOTALS` and `BUCKETS` take for turns that ended at `since` (epoch milliseconds; 0: all) or later, and before `until`. */
export function rangeSince(since: number, until = Number.MAX_SAFE_INTEGER) {
  const never = Number.MAX_SAFE_INTEGER;
  const lastHour = until === never ? never : until - (until % HOUR_MS);
  const lastDay = until === never ? never : until - (until % DAY_MS);
  const end = { until, lastHour, lastDay };
  // Where everything is wanted, it is added up already: no hour, no day and no row of a turn that ended is read.
  if (since <= 0 && until === never) return { ...end, since: 0, whole: 0, rows: 0, hour: never, day: never };
  const begin = Math.max(0, since);
  const hour = Math.ceil(begin / HOUR_MS) * HOUR_MS;
  return { ...end, since: begin, whole: -1, rows: hour, hour, day: Math.ceil(hour / DAY_MS) * DAY_MS };
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

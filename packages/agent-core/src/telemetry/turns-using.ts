/** Finds turns by the model or the tools they used. */
import { type Database, namedStatement, type Row } from "../database/index.ts";
import { IS_TURN, MARK } from "./turn-totals.ts";

/** What a turn used, by the names that telemetry shows. */
export interface TurnUse {
  /** The model that answered last, by which telemetry counts a turn. */
  readonly model?: string;
  /** Called at least once. */
  readonly tool?: string;
}

/** Absent fields match all turns. */
export interface TurnFilter extends TurnUse {
  readonly class?: string;
  readonly context?: string;
  /** Absent: those of origin `auxiliary` match only where `context` is theirs. */
  readonly origin?: string;
  /** `completed`, `failed`, `canceled` or `input-required`. */
  readonly state?: string;
  /** Ended at this time or later; epoch milliseconds. */
  readonly since?: number;
  /** Ended before this time. */
  readonly until?: number;
}

/** A turn's position: when it ended (epoch milliseconds) and its task. */
export interface TurnCursor {
  readonly time: number;
  readonly id: string;
}

export interface TurnsRequest {
  /** The `next` of the page before; absent: the newest ones. */
  readonly after?: TurnCursor;
  readonly limit: number;
  /** Rows to look at. */
  readonly examined?: number;
}

/** A page of turns. */
export interface TurnsPage {
  /** At most `limit`; fewer, or none, do not mean the end: `next` does. */
  readonly cursors: readonly TurnCursor[];
  readonly next?: TurnCursor;
}

const HOUR_MS = 3_600_000;
/** Hours that a page looks for turns in: more than rows are kept. */
const MOST_HOURS = 2_400;
/** Rows that are read at a time. */
const READ_AT_ONCE = 1_000;
/** Reading few rows costs as much as this many. */
const LEAST_ROWS = 100;

const hasSum = (name: string, from: string): string =>
  `(${name} IS NULL OR EXISTS (SELECT 1 FROM ${from} = ${name} AND level = 2 AND period = start))`;
// The sums know which hours a model or tool was used in. Rows from the mark on are not among them, nor are turns that wait.
const HOURS = namedStatement(
  `WITH RECURSIVE bounds(newest, oldest) AS MATERIALIZED (SELECT min(:time, (SELECT max(ended_at) FROM turn)), max(:since, (SELECT min(ended_at) FROM turn))),
hour(start, place) AS (SELECT newest - newest % ${HOUR_MS}, 1 FROM bounds WHERE newest >= oldest
UNION ALL SELECT start - ${HOUR_MS}, place + 1 FROM hour, bounds WHERE start > oldest AND place < ${MOST_HOURS})
SELECT start, place = ${MOST_HOURS} AND start > (SELECT oldest FROM bounds),
start + ${HOUR_MS} > ${MARK} OR (${hasSum(":model", "turn_total WHERE model")} AND ${hasSum(":tool", "turn_bucket WHERE kind = 'tool' AND name")})
OR EXISTS (SELECT 1 FROM turn INDEXED BY turn_waiting WHERE success IS NULL AND ended_at >= start AND ended_at < start + ${HOUR_MS}) FROM hour`,
);
const ROWS = namedStatement(
  `SELECT task, ended_at, fits, place FROM (SELECT *, row_number() OVER (ORDER BY ended_at DESC, task DESC) AS place, count(*) OVER () AS n FROM (
SELECT task, ended_at, (:class IS NULL OR class = :class) AND (:context IS NULL OR context = :context) AND (origin = :origin OR :origin IS NULL AND (:context IS NOT NULL OR ${IS_TURN}))
AND (:state IS NULL OR state = :state) AND (:model IS NULL OR model = :model)
AND (:tool IS NULL OR EXISTS (SELECT 1 FROM json_each(tool_durations) AS used WHERE used.key = :tool)) AS fits
FROM turn WHERE ended_at >= :from AND ended_at <= :time AND (ended_at < :time OR task < :id)
ORDER BY ended_at DESC, task DESC LIMIT :limit)) WHERE fits OR place = n ORDER BY place`,
);

/**
 * Returns a page of the turns that used the model and the tool, newest first, as far as their rows are written and kept. Reads
 * a bounded number of rows, only of hours in which there is such a turn.
 * @throws DatabaseError
 */
export async function readTurnsUsing(
  db: Database,
  filter: TurnFilter,
  { limit, after, examined = 10_000 }: TurnsRequest,
): Promise<TurnsPage> {
  const { since = 0, until = Number.MAX_SAFE_INTEGER } = filter;
  const names = ["class", "context", "origin", "state", "model", "tool"] as const;
  const fitting = Object.fromEntries(names.map((name) => [name, filter[name] ?? null]));
  // No task is before the blank one.
  let position = after ?? { time: until, id: "" };
  const { spans, rest } = await hoursWith(db, { ...filter, since, time: position.time });
  const found: TurnCursor[] = [];
  let left = examined;
  for (const { from, to } of spans) {
    if (to < position.time) position = { time: to, id: "" };
    for (let isFull = true; isFull; ) {
      if (left <= 0) return { cursors: found, next: position };
      const most = Math.min(READ_AT_ONCE, left);
      const given = { ...fitting, ...position, from: Math.max(from, since), limit: most };
      const rows = await db.read(ROWS.bind(given), "long");
      for (const row of rows) {
        position = cursorOf(row);
        if (row[2] !== 1) continue;
        if (found.length === limit) return { cursors: found, next: found.at(-1)! };
        found.push(position);
      }
      const read = Number(rows.at(-1)?.[3] ?? 0);
      left -= Math.max(read, LEAST_ROWS);
      isFull = read === most;
    }
  }
  return { cursors: found, ...(rest !== undefined && { next: { time: rest, id: "" } }) };
}

/** Times without a gap between them, the newest first, in which turns may be; `rest`: turns before it were not looked for. */
async function hoursWith(
  db: Database,
  { model, tool, since, time }: TurnUse & { readonly since: number; readonly time: number },
): Promise<{
  readonly spans: readonly { readonly from: number; readonly to: number }[];
  readonly rest: number | undefined;
}> {
  const rows = await db.read(HOURS.bind({ model: model ?? null, tool: tool ?? null, since, time }), "long");
  const spans: { from: number; to: number }[] = [];
  for (const [start, , isWanted] of rows) {
    if (isWanted !== 1) continue;
    const from = Number(start);
    const last = spans.at(-1);
    if (last?.from === from + HOUR_MS) last.from = from;
    else spans.push({ from, to: from + HOUR_MS });
  }
  const end = rows.at(-1);
  return { spans, rest: end?.[1] === 1 ? Number(end[0]) : undefined };
}

function cursorOf(row: Row): TurnCursor {
  return { id: String(row[0]), time: Number(row[1]) };
}

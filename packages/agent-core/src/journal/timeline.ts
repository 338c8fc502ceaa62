/** What happened to a task, part by part: its events without the pieces of its text, and what its calls held whole. */
import { type Database, namedStatement, type Row } from "../database/index.ts";
import type { CommittedEvent } from "../event/index.ts";
import { type EventSource, readEvents } from "./read-events.ts";

/** Which part of a timeline. */
export interface TimelineRange {
  readonly order: "newest" | "oldest";
  readonly limit: number;
  /** Number of the event at which the part before ended; absent: from the beginning of the order. */
  readonly from?: number | undefined;
}

/** A tool call as its row has it, texts cut at `CALL_CHARS`. */
export interface TimelineCall {
  readonly args: string;
  readonly result: string | null;
  readonly truncated: boolean;
}

/** Part of a timeline. */
export interface Timeline {
  /** In the order asked for; fewer than `limit`, or none, do not mean the end: `next` does. */
  readonly events: readonly CommittedEvent[];
  /** Of the events' tool calls, by id. */
  readonly calls: ReadonlyMap<string, TimelineCall>;
  /** `from` of the next part; absent: this is the last one. */
  readonly next?: number;
}

/** Characters of a call's arguments and of its result. */
const CALL_CHARS = 8_000;
/** Events looked at per read, and reads per part: pieces of text are skipped and may be many. */
const WINDOW = 64;
const MAX_WINDOWS = 32;

const CALLS = namedStatement(
  `SELECT id, substr(args, 1, :most), substr(result, 1, :most), length(args) > :most OR coalesce(length(result), 0) > :most
   FROM call WHERE id IN (SELECT value FROM json_each(:ids))`,
);

/** The part of a task's timeline. `head` is the number of its last event. @throws DatabaseError */
export async function readTimeline(
  source: EventSource,
  { task, head }: { readonly task: string; readonly head: number },
  { order, limit, from }: TimelineRange,
): Promise<Timeline> {
  const forward = order === "oldest";
  const found: CommittedEvent[] = [];
  let position = from ?? (forward ? 0 : head + 1);
  const isOver = (): boolean => (forward ? position >= head : position <= 1);
  for (let windows = 0; windows < MAX_WINDOWS && found.length <= limit && !isOver(); windows++) {
    const [after, upTo] = forward ? [position, position + WINDOW] : [Math.max(0, position - 1 - WINDOW), position - 1];
    const events = await windowOf(source, task, after, upTo);
    found.push(...(forward ? events : events.toReversed()));
    position = forward ? upTo : after + 1;
  }
  const events = found.slice(0, limit);
  const next = found.length > limit ? events.at(-1)?.seq : isOver() ? undefined : position;
  return { events, calls: await callsOf(source.db, events), ...(next !== undefined && { next }) };
}

async function windowOf(source: EventSource, task: string, after: number, upTo: number): Promise<CommittedEvent[]> {
  const events: CommittedEvent[] = [];
  for (let at = after; at < upTo; ) {
    const page = await readEvents(source, { task, after: at, upTo });
    const last = page.at(-1);
    if (last === undefined) break;
    events.push(...page.filter(({ event }) => !isPiece(event.kind)));
    at = last.seq;
  }
  return events;
}

function isPiece(kind: string): boolean {
  return kind === "text.delta" || kind === "text.reset" || kind === "reasoning.delta";
}

async function callsOf(db: Database, events: readonly CommittedEvent[]): Promise<ReadonlyMap<string, TimelineCall>> {
  const ids = events.flatMap(({ event }) =>
    event.kind === "tool.started" || event.kind === "tool.finished" ? [event.call] : [],
  );
  if (ids.length === 0) return new Map();
  const rows = await db.read(CALLS.bind({ ids: JSON.stringify([...new Set(ids)]), most: CALL_CHARS }));
  return new Map(rows.map((row) => [String(row[0]), callOf(row)]));
}

function callOf([, args, result, truncated]: Row): TimelineCall {
  return { args: String(args), result: result === null ? null : String(result), truncated: truncated === 1 };
}

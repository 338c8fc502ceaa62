/** Events as they lie in the store: what the journal pages through, and what readers behind it go back to. */
import { type Database, DatabaseError, type Value } from "../database/index.ts";
import type { CommittedEvent, TaskEvent } from "../event/index.ts";
import type { Statements } from "./statements.ts";

/** How much is read from the store at a time. */
export interface PageBounds {
  /** Events. */
  readonly limit: number;
  /** Bytes of them, beyond it by one event at most. */
  readonly bytes: number;
}

const BOUNDS: PageBounds = { limit: 256, bytes: 16 * 1024 * 1024 };

/** What is read of a task's events. */
export interface EventQuery {
  readonly task: string;
  readonly after: number;
  /** Default: as far as they are committed. */
  readonly upTo?: number;
  readonly bounds?: PageBounds;
}

export interface EventSource {
  readonly db: Database;
  readonly statements: Pick<Statements, "selectEvents" | "selectEndedFrom">;
}

/** A page of a task's events with numbers above `after` and up to `upTo`, in order; empty when there are none. */
export async function readEvents(
  { db, statements }: EventSource,
  { task, after, upTo = Number.MAX_SAFE_INTEGER, bounds = BOUNDS }: EventQuery,
): Promise<readonly CommittedEvent[]> {
  const rows = await db.read(statements.selectEvents.bind({ task, after, ...bounds }));
  const events: CommittedEvent[] = [];
  for (const row of rows) {
    const seq = Number(row[0]);
    if (seq > upTo) break;
    events.push({ seq, at: Number(row[1]), event: JSON.parse(text(row[2])) as TaskEvent });
  }
  return events;
}

/** Every committed event of a task, in pages. The task does not enter memory. */
export async function* storedEvents(source: EventSource, task: string): AsyncGenerator<readonly CommittedEvent[]> {
  for (let after = 0; ; ) {
    const page = await readEvents(source, { task, after });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.seq;
  }
}

export interface EndedTask {
  readonly id: string;
  /** When, epoch milliseconds. */
  readonly at: number;
}

/** Tasks that ended at the same time as `last` under a greater id, or later: at most `limit`, in that order. */
export async function endedTasks(
  { db, statements }: EventSource,
  last: EndedTask,
  limit: number,
): Promise<readonly EndedTask[]> {
  const rows = await db.read(statements.selectEndedFrom.bind({ at: last.at, id: last.id, limit }));
  return rows.map((row) => ({ id: String(row[0]), at: Number(row[1]) }));
}

function text(value: Value | undefined): string {
  if (typeof value !== "string") throw new DatabaseError("misuse", "a journal row is not text");
  return value;
}

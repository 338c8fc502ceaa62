/** A task as its rows have it, for who looks for what is wrong with it: nothing in them makes this fail. */
import { namedStatement, type Row } from "../database/index.ts";
import { applyEvent, emptyView, type TaskEvent, type TaskState, type TaskView } from "../event/index.ts";
import type { EventSource } from "./read-events.ts";

/** What is stored of a task. */
export interface InspectedTask {
  readonly id: string;
  readonly class: string;
  readonly context: string;
  readonly origin: string;
  readonly state: TaskState;
  /** Number of its last event. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The view after the events that can be read. */
  readonly view: TaskView;
  /** Which rows cannot be read, and why; 100 at most. */
  readonly malformed: readonly string[];
  /** False: it has more events than are looked at. */
  readonly complete: boolean;
}

const MOST_EVENTS = 10_000;
const MOST_MALFORMED = 100;
const PAGE = { limit: 256, bytes: 4 * 1024 * 1024 };

const TASK = namedStatement(
  "SELECT class, context, origin, state, seq, created_at, updated_at FROM task WHERE id = :id",
);

/** Reads it. Undefined: there is no such task. @throws DatabaseError */
export async function inspectTask({ db, statements }: EventSource, id: string): Promise<InspectedTask | undefined> {
  const [row] = await db.read(TASK.bind({ id }));
  if (row === undefined) return undefined;
  const view = emptyView(id);
  const malformed: string[] = [];
  let looked = 0;
  for (let after = 0; looked < MOST_EVENTS; ) {
    const rows = await db.read(statements.selectEvents.bind({ task: id, after, ...PAGE }));
    if (rows.length === 0) break;
    for (const event of rows) {
      const problem = fold(view, event);
      if (problem !== undefined && malformed.length < MOST_MALFORMED) malformed.push(`event ${event[0]}: ${problem}`);
    }
    looked += rows.length;
    after = Number(rows.at(-1)?.[0]);
  }
  const [caller, context, origin, state, seq, createdAt, updatedAt] = row;
  return {
    id,
    class: String(caller),
    context: String(context),
    origin: String(origin),
    state: String(state) as TaskState,
    seq: Number(seq),
    createdAt: Number(createdAt),
    updatedAt: Number(updatedAt),
    view,
    malformed,
    complete: looked < MOST_EVENTS,
  };
}

/** Folds an event's row into the view. @returns what is wrong with the row, without any of its content */
function fold(view: TaskView, [seq, at, body]: Row): string | undefined {
  let event: TaskEvent;
  try {
    event = JSON.parse(String(body)) as TaskEvent;
  } catch {
    return "it is not JSON";
  }
  try {
    applyEvent(view, { seq: Number(seq), at: Number(at), event });
    return undefined;
  } catch {
    return "it has not the form of an event";
  }
}

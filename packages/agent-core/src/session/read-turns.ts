import type { Database, Row } from "../database/index.ts";
import type { TaskEvent, TaskState } from "../event/index.ts";
import { addCutEvent, addEvent, type CutPart, type DraftTurn, draftTurn, type SessionTurn } from "./session-turn.ts";
import { addMessage } from "./stored-message.ts";
import {
  EVENT_BYTES,
  NEWEST_TURNS,
  OLDEST_TURNS,
  TURN_EVENTS,
  TURN_MESSAGES,
  TURN_OF_TASK,
  TURN_THOUGHTS,
  UNFINISHED_TEXTS,
} from "./turn-statements.ts";

/** A page of a session's turns: at most `limit`, after a turn. */
export interface TurnRange {
  readonly limit: number;
  /** Task id at which the page before ended. */
  readonly after?: string | undefined;
  /** Default `newest`. */
  readonly first?: "newest" | "oldest";
}

/** Part of a session's turns. */
export interface TurnPage {
  readonly turns: readonly SessionTurn[];
  /** Where the next page begins; undefined: this is the last one. */
  readonly next: string | undefined;
}

/** Bytes of an event up to which it is read whole. */
const WHOLE_BYTES = 64 * 1024;
/** Characters of a thought. */
const THOUGHT_CHARS = 8_000;
/** Bytes of events on a page; beyond it by one turn at most. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** After every task id. */
const LAST_ID = "~";

/** Reads a page of a session's turns. A session that does not exist has none. */
export async function readTurns(db: Database, id: string, range: TurnRange): Promise<TurnPage> {
  const { limit, after, first = "newest" } = range;
  const [statement, start] = first === "newest" ? [NEWEST_TURNS, LAST_ID] : [OLDEST_TURNS, ""];
  const rows = await db.read(statement.bind({ id, position: after ?? start, limit: limit + 1 }));
  const asked = rows.slice(0, limit).map(draftOf);
  const bytes = new Map(
    (await db.read(EVENT_BYTES.bind({ tasks: listOf(asked), whole: WHOLE_BYTES }), "long")).map(
      ([task, size]) => [String(task), Number(size)] as const,
    ),
  );
  const turns = asked.slice(0, fitting(asked, bytes));
  await fill(db, turns);
  const gone = turns.filter(({ task }) => !bytes.has(task));
  if (gone.length > 0) await addMessages(db, id, gone);
  return { turns, next: turns.length < rows.length ? turns.at(-1)?.task : undefined };
}

/** A task of any class, with its conversation. */
export interface TaskTurn {
  readonly class: string;
  readonly context: string;
  readonly turn: SessionTurn;
}

/** Reads one task; undefined where there is none. */
export async function readTaskTurn(db: Database, task: string): Promise<TaskTurn | undefined> {
  const [row] = await db.read(TURN_OF_TASK.bind({ task }));
  if (row === undefined) return undefined;
  const turn = draftOf(row);
  const context = String(row[6]);
  await fill(db, [turn]);
  if (turn.messages.length === 0) await addMessages(db, context, [turn]);
  return { class: String(row[5]), context, turn };
}

async function fill(db: Database, turns: readonly DraftTurn[]): Promise<void> {
  await addEvents(db, turns);
  await addThoughts(db, turns);
  const unfinished = turns.filter(({ answer, state }) => answer === "" && (state === "canceled" || state === "failed"));
  if (unfinished.length > 0) await addUnfinished(db, unfinished);
}

function draftOf([task, origin, state, createdAt, updatedAt]: Row): DraftTurn {
  return draftTurn({
    task: String(task),
    origin: String(origin),
    state: String(state) as TaskState,
    createdAt: Number(createdAt),
    updatedAt: Number(updatedAt),
  });
}

function listOf(turns: readonly DraftTurn[]): string {
  return JSON.stringify(turns.map(({ task }) => task));
}

/** How many of the turns fit on a page. */
function fitting(turns: readonly DraftTurn[], bytes: ReadonlyMap<string, number>): number {
  let held = 0;
  const over = turns.findIndex(({ task }) => {
    if (held >= PAGE_BYTES) return true;
    held += bytes.get(task) ?? WHOLE_BYTES;
    return false;
  });
  return over === -1 ? turns.length : over;
}

async function addEvents(db: Database, turns: readonly DraftTurn[]): Promise<void> {
  const byTask = new Map(turns.map((turn) => [turn.task, turn]));
  const bounds = { whole: WHOLE_BYTES, chars: WHOLE_BYTES };
  for (const row of await db.read(TURN_EVENTS.bind({ tasks: listOf(turns), ...bounds }), "long")) {
    const [task, seq, at, kind, body, cut] = row;
    const turn = byTask.get(String(task));
    if (turn === undefined) continue;
    const read: unknown = JSON.parse(String(body));
    const place = { seq: Number(seq), at: Number(at) };
    if (cut === 1) addCutEvent(turn, String(kind), read as readonly CutPart[], place);
    else addEvent(turn, read as TaskEvent, place);
  }
}

async function addThoughts(db: Database, turns: readonly DraftTurn[]): Promise<void> {
  const byTask = new Map(turns.map((turn) => [turn.task, turn]));
  const thoughts = TURN_THOUGHTS.bind({ tasks: listOf(turns), chars: THOUGHT_CHARS });
  for (const [task, text, cut, calls, startedAt, endedAt] of await db.read(thoughts, "long")) {
    byTask.get(String(task))?.thoughts.push({
      text: String(text),
      truncated: cut === 1,
      callsBefore: Number(calls),
      startedAt: Number(startedAt),
      endedAt: Number(endedAt),
    });
  }
}

async function addUnfinished(db: Database, turns: readonly DraftTurn[]): Promise<void> {
  const byTask = new Map(turns.map((turn) => [turn.task, turn]));
  const texts = UNFINISHED_TEXTS.bind({ tasks: listOf(turns), whole: WHOLE_BYTES });
  for (const [task, text, cut] of await db.read(texts, "long")) {
    const turn = byTask.get(String(task));
    if (turn === undefined) continue;
    turn.answer = String(text);
    turn.truncated ||= cut === 1;
  }
}

async function addMessages(db: Database, id: string, turns: readonly DraftTurn[]): Promise<void> {
  const byTask = new Map(turns.map((turn) => [turn.task, turn]));
  const messages = TURN_MESSAGES.bind({ id, tasks: listOf(turns), whole: WHOLE_BYTES });
  for (const [task, at, kind, body, cut] of await db.read(messages, "long")) {
    const turn = byTask.get(String(task));
    if (turn === undefined) continue;
    if (cut === 1) turn.truncated = true;
    addMessage(turn, String(kind), JSON.parse(String(body)), Number(at));
  }
}

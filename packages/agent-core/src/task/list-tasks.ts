/** Lists tasks, newest change of state first (A2A 1.0.1 "ListTasks", A16). */
import type { Database, Row } from "../database/index.ts";
import { isTerminalState, type TaskOrigin, type TaskState } from "../event/index.ts";
import type { Journal } from "../journal/index.ts";

/** Later than any task. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/** Absent fields match all tasks. */
export interface TaskFilter {
  /** Of this caller class (A16). */
  readonly class?: string;
  readonly context?: string;
  /** Started by this (R1). Absent: those of origin `auxiliary` match only where `context` is theirs. */
  readonly origin?: TaskOrigin;
  /** In one of these states, two at most: what a surface shows as one. */
  readonly states?: readonly [TaskState, TaskState?];
  /** Whose state changed at this time or later; epoch milliseconds. */
  readonly since?: number;
  /** Whose state changed before this time; epoch milliseconds. `total` counts later ones too. */
  readonly until?: number;
}

/** A task's position in the list: when its state last changed (`statusAt` of its view), and its id. */
export interface TaskCursor {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly id: string;
}

export interface PageRequest {
  /** The `next` of the page before; absent: the newest ones. */
  readonly after?: TaskCursor;
  readonly limit: number;
  /** Rows to look at, of open and of ended tasks each. Default 10,000: 4 ms among a million tasks. */
  readonly examined?: number;
}

export interface TaskPage {
  /** At most `limit`; fewer, or none, do not mean the end of the list: `next` does. */
  readonly cursors: readonly TaskCursor[];
  /** The next page begins after this task; absent: this is the last page. */
  readonly next?: TaskCursor;
  /** Tasks that fit, of the newest ones: those that were looked at from the start of the list. */
  readonly total: number;
}

/**
 * Returns a page of the tasks that match. Examines a bounded number of rows: a filter that few tasks match yields short
 * pages.
 * @throws DatabaseError
 */
export async function listTasks(
  { db, journal }: { readonly db: Database; readonly journal: Journal },
  filter: TaskFilter,
  page: PageRequest,
): Promise<TaskPage> {
  const { selectOpenPage, countOpen, selectEndedPage, countEnded, selectEndedStop } = journal.statements;
  const { states, since = 0, until = END_OF_TIME } = filter;
  // As if a page had ended at that time: no id is before the blank one.
  const { limit, examined = 10_000, after = { time: until, id: "" } } = page;
  const { time, id } = after;
  const fitting = {
    class: filter.class ?? null,
    context: filter.context ?? null,
    origin: filter.origin ?? null,
    state: states?.[0] ?? null,
    orState: states?.[1] ?? null,
    since,
    examined,
  };
  const range = { ...fitting, time, id, limit: limit + 1 };
  const half = async (rows: typeof selectOpenPage, count: typeof countOpen) => {
    const [found, [counted]] = await Promise.all([db.read(rows.bind(range)), db.read(count.bind(fitting))]);
    return { cursors: found.map(cursorOf), total: Number(counted?.[0] ?? 0) };
  };
  const none = { cursors: [], total: 0 };
  const isWanted = (terminal: boolean) => states === undefined || isTerminalState(states[0]) === terminal;
  // The open ones first: a task that ends in between is then found twice, never missed.
  const open = isWanted(false) ? await half(selectOpenPage, countOpen) : none;
  const ended = isWanted(true) ? await half(selectEndedPage, countEnded) : none;
  const found = merged(open.cursors, ended.cursors);
  const total = open.total + ended.total;
  // With a page full of ended tasks it does not matter where the look at them stopped.
  const stop =
    !isWanted(true) || ended.cursors.length > limit
      ? undefined
      : (await db.read(selectEndedStop.bind({ time, id, since, skip: examined - 1 }))).map(cursorOf)[0];
  const known = stop === undefined ? found : found.filter((one) => newestFirst(one, stop) <= 0);
  const cursors = known.slice(0, limit);
  const next = known.length > limit ? cursors.at(-1) : stop;
  return { cursors, total, ...(next && { next }) };
}

function cursorOf(row: Row): TaskCursor {
  return { id: String(row[0]), time: Number(row[1]) };
}

function newestFirst(a: TaskCursor, b: TaskCursor): number {
  return b.time - a.time || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

/** Of a task that is in both lists, the ended entry is the current one. */
function merged(open: readonly TaskCursor[], ended: readonly TaskCursor[]): TaskCursor[] {
  const over = new Set(ended.map(({ id }) => id));
  return [...open.filter(({ id }) => !over.has(id)), ...ended].sort(newestFirst);
}

/**
 * Removes what the engine keeps of an ended turn beyond its conversation (R14): journal events other than messages and
 * its end, arguments of calls, answered prompts, and the tasks its calls delegated to. What the model is shown (messages,
 * results of calls) is not touched, nor is what `tasks/get`, exports and search read.
 */
import { type Database, DatabaseError, namedStatement, type Statement } from "../database/index.ts";
import { applyEvent, emptyView, type TaskEvent, type TaskView } from "../event/index.ts";
import { storedEvents } from "./read-events.ts";
import { type DueTask, eachDue, moveRound, roundCursor } from "./retention-rounds.ts";
import { createStatements } from "./statements.ts";

export interface DetailRetention {
  /** Days after a turn's end. */
  readonly maxAgeDays: number;
  /** The newest turns of a conversation, which keep theirs however old they are. */
  readonly keepPerThread: number;
}

export interface RemovedDetails {
  readonly turns: number;
  /** Delegated tasks that were deleted. */
  readonly tasks: readonly string[];
}

interface Conversation {
  readonly class: string;
  readonly context: string;
}

const DAY_MS = 86_400_000;
/** Tool calls that stay in the account of a turn. */
const TOOL_CALLS = 500;
/** After every task id. */
const NO_TURN = "~";
/** Messages of a conversation that are looked at for its newest turns. */
const LOOKED_AT = 2_000;
/** Kept turns that are looked at in one go after `keepPerThread` was lowered. */
const PAGE = 200;

/** Kinds of events that stay: messages, components, prompts and the end. */
const KEPT_KINDS = [
  ...["task.accepted", "input.consumed", "task.parked", "prompt.answered", "component.shown", "text.delta", "answer"],
  ...["task.completed", "task.failed", "task.canceled", "detail.removed"],
]
  .map((kind) => `'${kind}'`)
  .join(", ");

/** A conversation that a delegated task, the check of a goal, or a background job has to itself. */
export const OWN_CONVERSATION = /^(?:subagent:|title:|harvest:|goal:[0-9a-f-]{36}$|background:bg-[0-9a-f]{12}$)/;

const NEWEST = namedStatement(
  `SELECT task, count(*) FROM (SELECT task FROM message WHERE class = :class AND context = :context AND task <> ''
ORDER BY id DESC LIMIT ${LOOKED_AT}) GROUP BY task ORDER BY task DESC LIMIT :keep`,
);
const OF_TURN = [
  // One that may have happened is asked about again (R3).
  "DELETE FROM call WHERE task = :task AND parent IS NOT NULL AND outcome <> 'unknown'",
  "UPDATE call SET args = '', note = NULL WHERE task = :task AND outcome IS NOT NULL",
  "DELETE FROM prompt WHERE task = :task",
  "DELETE FROM kept_detail WHERE task = :task",
].map((sql) => namedStatement(sql));
/** Steps of turns; `last` is the number of the newest, which the event of the removal gets. */
const STEPS = namedStatement(
  `SELECT task, max(seq) FROM event WHERE task IN (SELECT value FROM json_each(:tasks)) AND kind NOT IN (${KEPT_KINDS}) GROUP BY task`,
);
const REMOVE_STEPS = namedStatement(
  `DELETE FROM event WHERE task = :task AND kind NOT IN (${KEPT_KINDS}) AND seq <> :last`,
);
const SAY_REMOVED = namedStatement(
  "UPDATE event SET kind = 'detail.removed', body = :body WHERE task = :task AND seq = :last",
);
const KEEP = namedStatement(
  "INSERT INTO kept_detail (task, class, context) VALUES (:task, :class, :context) ON CONFLICT (task) DO NOTHING",
);
const KEPT_IN = namedStatement(
  "SELECT task FROM kept_detail WHERE class = :class AND context = :context AND task < :cut",
);
const KEEPS = namedStatement("SELECT 1 FROM kept_detail WHERE class = :class AND context = :context LIMIT 1");
const KEPT = namedStatement(
  `SELECT DISTINCT class, context FROM kept_detail WHERE (class, context) > (:class, :context) ORDER BY class, context LIMIT ${PAGE}`,
);
const KEPT_BEFORE = namedStatement("SELECT at FROM retention_cursor WHERE round = 'keep_per_thread'");
const NOTE_KEPT = namedStatement(
  `INSERT INTO retention_cursor (round, at, task) VALUES ('keep_per_thread', :keep, '')
ON CONFLICT (round) DO UPDATE SET at = excluded.at`,
);
const ANY_KEPT = namedStatement("SELECT 1 FROM kept_detail LIMIT 1");
/** Ended tasks that calls of a task started, however deep; those of a background job go by their own time. */
const DELEGATED = namedStatement(
  `WITH RECURSIVE below (id, context, class, state, updated_at) AS (
SELECT id, context, class, state, updated_at FROM task WHERE parent IN (SELECT value FROM json_each(:tasks)) AND parent IS NOT NULL
UNION SELECT t.id, t.context, t.class, t.state, t.updated_at FROM below CROSS JOIN task AS t ON t.parent = below.id WHERE t.parent IS NOT NULL)
SELECT id, class, context FROM below WHERE updated_at < :before AND state IN ('completed', 'failed', 'canceled')`,
);
/** Of these tasks, those that keep nothing for their parent's sake: it keeps no detail either, or was deleted. */
const ORPHANED = namedStatement(
  `SELECT child.id FROM json_each(:tasks) CROSS JOIN task AS child ON child.id = value
LEFT JOIN task AS parent ON parent.id = child.parent
WHERE parent.id IS NULL OR ((parent.updated_at, parent.id) <= (:at, :task) AND parent.state IN ('completed', 'failed', 'canceled')
AND NOT EXISTS (SELECT 1 FROM kept_detail WHERE kept_detail.task = parent.id))`,
);
const SESSION = "(SELECT no FROM session WHERE id = :context)";
const OF_DELEGATED = [
  ...["event", "call", "prompt", "push_config", "activity", "kept_detail"].map(
    (table) => `DELETE FROM ${table} WHERE task = :task`,
  ),
  "DELETE FROM message WHERE class = :class AND context = :context AND task = :task",
  `DELETE FROM session_turn WHERE session = ${SESSION} AND task = :task`,
  `DELETE FROM session_text WHERE rowid = -${SESSION} AND (SELECT turns FROM session WHERE id = :context) = 0`,
  "DELETE FROM session WHERE id = :context AND turns = 0",
  "DELETE FROM task WHERE id = :task",
].map((sql) => namedStatement(sql));

/** Carries out what is due. @throws DatabaseError; what was committed stays done */
export async function removeDetails(db: Database, now: number, keep: DetailRetention): Promise<RemovedDetails> {
  return new DetailRemoval(db, now, keep).run();
}

class DetailRemoval {
  readonly #db: Database;
  readonly #statements = createStatements();
  readonly #now: number;
  readonly #keep: number;
  readonly #before: number;
  readonly #removed: string[] = [];
  #turns = 0;

  constructor(db: Database, now: number, { maxAgeDays, keepPerThread }: DetailRetention) {
    this.#db = db;
    this.#now = now;
    this.#keep = keepPerThread;
    this.#before = now - maxAgeDays * DAY_MS;
  }

  async run(): Promise<RemovedDetails> {
    await this.#pushOut();
    await this.#keepFewer();
    await eachDue(this.#db, "details", { now: this.#now, before: this.#before }, (tasks) => this.#visit(tasks));
    return { turns: this.#turns, tasks: this.#removed };
  }

  /** Turns whose detail is due for removal. */
  async #visit(tasks: readonly DueTask[]): Promise<readonly Statement[]> {
    const own = tasks.filter(isDelegated);
    const turns = tasks.filter((task) => !isDelegated(task));
    const removed: string[] = [];
    const kept: Statement[] = [];
    const cuts = new Map<string, string>();
    for (const turn of turns) {
      const key = JSON.stringify([turn.class, turn.context]);
      const cut = cuts.get(key) ?? (await this.#cutOf(turn));
      cuts.set(key, cut);
      if (turn.id < cut) removed.push(turn.id);
      else kept.push(KEEP.bind({ task: turn.id, class: turn.class, context: turn.context }));
    }
    // What ends later than the call that started it is not kept for that turn any more.
    const late = await this.#orphaned(own);
    return [...kept, ...(await this.#removal(removed)), ...this.#delegatedRemoval(late)];
  }

  /** Turns that are not among the newest of their conversation any more. */
  async #pushOut(): Promise<void> {
    const [any] = await this.#db.read(ANY_KEPT.bind({}));
    const cursor = { at: this.#now, task: "" };
    if (any === undefined) {
      await this.#db.commit({ label: "journal.retention", statements: [moveRound("newcomers", cursor)] });
      return;
    }
    await eachDue(this.#db, "newcomers", { now: this.#now, before: this.#now }, async (tasks) => {
      const removed: string[] = [];
      for (const conversation of conversationsOf(tasks)) removed.push(...(await this.#pushedOutOf(conversation)));
      return this.#removal(removed);
    });
  }

  /** Applies a lowered setting to idle conversations too. */
  async #keepFewer(): Promise<void> {
    const [row] = await this.#db.read(KEPT_BEFORE.bind({}));
    const before = row === undefined ? undefined : Number(row[0]);
    if (before === this.#keep) return;
    for (
      let last: Conversation | undefined = { class: "", context: "" };
      before !== undefined && last !== undefined;
    ) {
      const rows = await this.#db.read(KEPT.bind({ class: last.class, context: last.context }));
      const removed: string[] = [];
      const page = rows.map(([callerClass, context]) => ({ class: String(callerClass), context: String(context) }));
      for (const conversation of page) removed.push(...(await this.#pushedOutOf(conversation)));
      await this.#db.commit({ label: "journal.retention", statements: await this.#removal(removed) });
      last = page.at(-1);
    }
    await this.#db.commit({ label: "journal.retention", statements: [NOTE_KEPT.bind({ keep: this.#keep })] });
  }

  async #pushedOutOf(of: Conversation): Promise<string[]> {
    const key = { class: of.class, context: of.context };
    if ((await this.#db.read(KEEPS.bind(key))).length === 0) return [];
    const rows = await this.#db.read(KEPT_IN.bind({ ...key, cut: await this.#cutOf(of) }));
    return rows.map(([task]) => String(task));
  }

  /** The oldest turn that keeps its detail; ids of tasks sort by time. Empty: all do; after every id: none does. */
  async #cutOf(of: Conversation): Promise<string> {
    const rows = await this.#db.read(NEWEST.bind({ class: of.class, context: of.context, keep: this.#keep }));
    if (rows.length === 0) return NO_TURN;
    const looked = rows.reduce((sum, [, messages]) => sum + Number(messages), 0);
    if (rows.length < this.#keep && looked < LOOKED_AT) return "";
    return String(rows.at(-1)?.[0]);
  }

  async #removal(turns: readonly string[]): Promise<readonly Statement[]> {
    if (turns.length === 0) return [];
    this.#turns += turns.length;
    const rows = await this.#db.read(DELEGATED.bind({ tasks: JSON.stringify(turns), before: this.#before }));
    const delegated = rows.map(([id, callerClass, context]) => ({
      ...{ id: String(id), class: String(callerClass), context: String(context) },
    }));
    return [
      ...(await this.#steps(turns)),
      ...turns.flatMap((task) => OF_TURN.map((statement) => statement.bind({ task }))),
      ...this.#delegatedRemoval(delegated.filter(({ context }) => OWN_CONVERSATION.test(context))),
    ];
  }

  /** Replaces the steps of turns by one event with their totals. */
  async #steps(turns: readonly string[]): Promise<readonly Statement[]> {
    const statements: Statement[] = [];
    for (const [id, seq] of await this.#db.read(STEPS.bind({ tasks: JSON.stringify(turns) }))) {
      const task = String(id);
      const last = Number(seq);
      const view = await this.#viewOf(task);
      if (view === undefined) continue;
      const { steps, models, contextTokens } = view;
      const toolCalls = view.toolCalls.slice(-TOOL_CALLS);
      const removed: TaskEvent = { kind: "detail.removed", steps, models, contextTokens, toolCalls };
      statements.push(
        REMOVE_STEPS.bind({ task, last }),
        SAY_REMOVED.bind({ task, last, body: JSON.stringify(removed) }),
      );
    }
    return statements;
  }

  /** Undefined: the rows cannot be read. They stay, for who looks into what is wrong, and hold up no other task. */
  async #viewOf(task: string): Promise<TaskView | undefined> {
    const view = emptyView(task);
    try {
      for await (const page of storedEvents({ db: this.#db, statements: this.#statements }, task))
        for (const event of page) applyEvent(view, event);
      return view;
    } catch (error) {
      if (error instanceof DatabaseError && error.code !== "misuse") throw error;
      return undefined;
    }
  }

  async #orphaned(tasks: readonly DueTask[]): Promise<readonly DueTask[]> {
    if (tasks.length === 0) return [];
    const cursor = (await roundCursor(this.#db, "details")) ?? { at: 0, task: "" };
    const ids = JSON.stringify(tasks.map(({ id }) => id));
    const rows = await this.#db.read(ORPHANED.bind({ tasks: ids, ...cursor }));
    const orphaned = new Set(rows.map(([id]) => String(id)));
    return tasks.filter(({ id }) => orphaned.has(id));
  }

  #delegatedRemoval(tasks: readonly (Conversation & { readonly id: string })[]): Statement[] {
    this.#removed.push(...tasks.map(({ id }) => id));
    return tasks.flatMap(({ id: task, class: callerClass, context }) =>
      OF_DELEGATED.map((statement) => statement.bind({ task, class: callerClass, context })),
    );
  }
}

function isDelegated({ parent, context }: DueTask): boolean {
  return parent !== null && OWN_CONVERSATION.test(context);
}

function conversationsOf(tasks: readonly DueTask[]): readonly Conversation[] {
  return [...new Map(tasks.map((task) => [JSON.stringify([task.class, task.context]), task])).values()];
}

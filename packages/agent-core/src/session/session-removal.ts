/**
 * Deletes sessions (O8): the running turn is canceled; messages, journal, calls, prompts, steering and snapshots are
 * removed. Telemetry numbers and audit lines stay.
 *
 * Invariants
 *  SD1  An intent is durable before anything is removed; whenever the process is killed, the next one continues where it
 *      stopped. Every step can be repeated.
 *  SD2  Nothing begins in a session that is being deleted, and readers of the journal write nothing of it again.
 *  SD3  Turns that a fork shows stay: they are the fork's from then on.
 *  SD4  With a conversation its versions go, unless it goes by itself, as by retention: the newest of them is listed then.
 */
import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import type { ConversationCache } from "../context/index.ts";
import { type Database, namedStatement, type Statement } from "../database/index.ts";
import { isTerminalState } from "../event/index.ts";
import { type Journal, OWN_CONVERSATION } from "../journal/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import type { TaskService } from "../task/index.ts";
import { UnknownSessionError } from "./session-error.ts";
import { handOver, versionsBeside } from "./version-removal.ts";

export interface SessionRemovalOptions {
  readonly db: Database;
  readonly journal: Journal;
  readonly service: TaskService;
  readonly conversations: Pick<ConversationCache, "forget">;
  readonly clock: Pick<Clock, "now">;
  readonly bus: EventBus;
  /** Resolves when every reader behind the journal has written what was committed before. */
  readonly written: () => Promise<void>;
  /** Resolves when the versions are there that were begun before a session was shut (SV4). */
  readonly versionsSettled: () => Promise<void>;
  /** Removes what is kept of a session elsewhere. Must be repeatable. */
  readonly forgetSession: (session: string, retired: boolean) => Promise<void>;
  /** Removes what is kept of tasks elsewhere. Must be repeatable. */
  readonly forgetTasks: (tasks: readonly string[]) => Promise<void>;
}

export interface RemoveSession {
  /** False: the session stays, empty, with its title. */
  readonly retire: boolean;
  /** Its versions stay (SD4). */
  readonly alone?: boolean;
}

/** Tasks per command. */
const BATCH = 50;

const NO = "(SELECT no FROM session WHERE id = :id)";
const KNOWN = namedStatement("SELECT no FROM session WHERE id = :id");
const INTEND = namedStatement(
  "INSERT INTO session_deletion (context, retire, at) VALUES (:id, :retire, :at) ON CONFLICT DO NOTHING",
);
const PENDING = namedStatement("SELECT context, retire FROM session_deletion ORDER BY at");
const DONE = namedStatement("DELETE FROM session_deletion WHERE context = :id");
/** Its own tasks, listed or taken back; those it shows of another session are that one's. */
const TASKS = namedStatement(
  `SELECT task.id FROM session_turn JOIN task ON task.id = session_turn.task
WHERE session IN (${NO}, -${NO}) AND task.context = :id
UNION SELECT task FROM message WHERE class = '${OPERATOR_CLASS}' AND context = :id AND task <> '' ORDER BY 1`,
);
/** What tasks delegated, however deep, with the conversation each has to itself. */
const DELEGATED = namedStatement(
  `WITH RECURSIVE below (id) AS (
SELECT id FROM task WHERE parent IN (SELECT value FROM json_each(:tasks)) AND parent IS NOT NULL
UNION SELECT child.id FROM below JOIN task AS child ON child.parent = below.id WHERE child.parent IS NOT NULL)
SELECT task.id, task.context FROM below CROSS JOIN task ON task.id = below.id`,
);
/** Of these tasks those that another session lists, with that session. */
const SHARED = namedStatement(
  `SELECT turn.task, min(other.id) FROM session_fork AS fork
CROSS JOIN session_turn AS turn ON turn.session = fork.session AND turn.task IN (SELECT value FROM json_each(:tasks))
CROSS JOIN session AS other ON other.no = fork.session
WHERE other.id <> :id GROUP BY turn.task`,
);
const OF_TASK = ["event", "prompt", "call", "push_config", "incognito_turn", "kept_detail"].map((table) =>
  namedStatement(`DELETE FROM ${table} WHERE task = :task`),
);
/** Messages and turns have an index by their session only: without it each would cost a look at the whole table. */
const OF_TASKS = `class = '${OPERATOR_CLASS}' AND context = :id AND task IN (SELECT value FROM json_each(:tasks))`;
const OF_SESSION = [
  namedStatement(`DELETE FROM message WHERE ${OF_TASKS}`),
  namedStatement(
    `DELETE FROM session_turn WHERE session IN (SELECT no FROM session WHERE id = :id UNION ALL SELECT session FROM session_fork)
AND task IN (SELECT value FROM json_each(:tasks))`,
  ),
];
/** Jobs that these turns spawned and that are settled: what was asked of them and what they reported. */
const FORGET_JOBS = namedStatement(
  "DELETE FROM background_job WHERE parent IN (SELECT value FROM json_each(:tasks)) AND settled_at IS NOT NULL",
);
/** Rows about messages after the first of those: a summary is removed, what a rewind or fork names stays. */
const FIRST = namedStatement(`SELECT min(id) FROM message WHERE ${OF_TASKS}`);
const FORGET_SUMMARIES = [
  namedStatement(
    `UPDATE message SET body = json_set(body, '$.text', '') WHERE class = '${OPERATOR_CLASS}' AND context = :id AND kind = 'compaction' AND id > :first AND json_extract(body, '$.turn') IS NOT NULL`,
  ),
  namedStatement(
    `DELETE FROM message WHERE class = '${OPERATOR_CLASS}' AND context = :id AND kind = 'compaction' AND id > :first AND json_extract(body, '$.turn') IS NULL`,
  ),
];
const HAS_INCOGNITO = namedStatement(
  `SELECT 1 FROM incognito_turn WHERE class = '${OPERATOR_CLASS}' AND context = :id LIMIT 1`,
);
const LISTED = namedStatement(`SELECT 1 FROM session_turn WHERE session IN (${NO}, -${NO}) LIMIT 1`);
const TASK = namedStatement("DELETE FROM task WHERE id = :task");
const ADOPT = ["prompt", "call", "kept_detail", "file_change"]
  .map((table) => namedStatement(`UPDATE ${table} SET context = :fork WHERE task = :task`))
  .concat(namedStatement("UPDATE task SET context = :fork WHERE id = :task"));
const ADOPT_MESSAGES = namedStatement(
  `UPDATE message SET context = :fork WHERE class = '${OPERATOR_CLASS}' AND context = :id AND task = :task`,
);
const REST = [
  namedStatement(`DELETE FROM message WHERE class = '${OPERATOR_CLASS}' AND context = :id`),
  namedStatement(`DELETE FROM call WHERE class = '${OPERATOR_CLASS}' AND context = :id`),
  namedStatement(`DELETE FROM steering WHERE class = '${OPERATOR_CLASS}' AND context = :id`),
  namedStatement(`DELETE FROM session_turn WHERE session = ${NO}`),
  namedStatement(`DELETE FROM session_turn WHERE session = -${NO}`),
  namedStatement(`DELETE FROM session_fork WHERE session = ${NO}`),
];
const RETIRE = [
  namedStatement(`DELETE FROM session_text WHERE rowid = -${NO}`),
  namedStatement("DELETE FROM session WHERE id = :id"),
];
/** What remains of a session that is cleared: its title by a person. */
const CLEAR = [
  namedStatement(`DELETE FROM session_text WHERE rowid = (SELECT -no FROM session WHERE id = :id AND title IS NULL)`),
  namedStatement("UPDATE session SET opening = '', headline = NULL, titling = NULL, turns = 0 WHERE id = :id"),
];

export class SessionRemoval {
  readonly #options: SessionRemovalOptions;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #shutting = new Map<string, Promise<void>>();

  constructor(options: SessionRemovalOptions) {
    this.#options = options;
  }

  /**
   * Deletes a session; no row of it is left when it resolves.
   * @throws UnknownSessionError, DatabaseError; once the intent is durable a later try or start continues
   */
  async remove(id: string, { retire, alone = false }: RemoveSession): Promise<void> {
    const { db, written } = this.#options;
    const before = this.#underWay.get(id);
    if (before !== undefined) return before;
    await written();
    if ((await db.read(KNOWN.bind({ id }))).length === 0) throw new UnknownSessionError(id);
    return this.#once(id, () =>
      this.#shut(id, async () => {
        const versions = alone ? [] : await versionsBeside(db, id);
        await this.#shutAll(versions, () => this.#removeShut(id, versions, retire));
      }),
    );
  }

  async #removeShut(id: string, versions: readonly string[], retire: boolean): Promise<void> {
    const { db, clock } = this.#options;
    const at = clock.now();
    // What was accepted before is in the store once this is.
    const intents = versions.map((version) => INTEND.bind({ id: version, retire: 1, at }));
    const intent = INTEND.bind({ id, retire: retire ? 1 : 0, at });
    await db.commit({ label: "session.delete", statements: [...intents, intent] });
    for (const one of [...versions, id]) await this.#cancel(one);
    for (const version of versions) await this.#erase(version, true);
    await this.#erase(id, retire);
  }

  #shutAll([id, ...others]: readonly string[], work: () => Promise<void>): Promise<void> {
    return id === undefined ? work() : this.#shut(id, () => this.#shutAll(others, work));
  }

  /**
   * What a former process left half done: their tasks end before any continues. `finish` removes the rest; call it once
   * the readers have read what they had not written.
   */
  async resume(): Promise<{ readonly sessions: readonly string[]; finish(): Promise<void> }> {
    const rows = await this.#options.db.read(PENDING.bind({}));
    const pending = rows.map(([id, retire]) => ({ id: String(id), retire: retire === 1 }));
    for (const { id } of pending) {
      this.#options.service.gate.shut({ class: OPERATOR_CLASS, context: id });
      await this.#cancel(id);
    }
    const finish = async (): Promise<void> => {
      for (const { id, retire } of pending) {
        await this.#once(id, () => this.#shut(id, () => this.#erase(id, retire)));
      }
    };
    return { sessions: pending.map(({ id }) => id), finish };
  }

  /** Removes turns of a session with all their text; a session without other turns is removed too. */
  async eraseTurns(id: string, tasks: readonly string[]): Promise<void> {
    const { db, written, bus, service } = this.#options;
    await this.#shut(id, async () => {
      for (const task of tasks) await this.#cancelOne(task);
      await written();
      const [first] = await db.read(FIRST.bind({ id, tasks: JSON.stringify(tasks) }));
      const summaries = FORGET_SUMMARIES.map((of) => of.bind({ id, first: Number(first?.[0] ?? 0) }));
      if (typeof first?.[0] === "number")
        await db.commit({ label: "session.forget", statements: summaries, overwrite: true });
      for (let start = 0; start < tasks.length; start += BATCH) {
        await this.#eraseTasks(id, tasks.slice(start, start + BATCH), { adopt: false, overwrite: true });
      }
      service.forgetIncognito({ class: OPERATOR_CLASS, context: id });
      if ((await db.read(LISTED.bind({ id }))).length > 0) return;
      service.forgetContext({ class: OPERATOR_CLASS, context: id });
      const statements = [...(await handOver(db, id)), ...[...REST, ...RETIRE].map((of) => of.bind({ id }))];
      await db.commit({ label: "session.deleted", statements, overwrite: true });
    });
    if (!OWN_CONVERSATION.test(id)) bus.publish("session.changed", { session_id: id });
  }

  async #cancelOne(task: string): Promise<void> {
    const handle = await this.#options.service.get(task);
    if (handle !== undefined && !isTerminalState(handle.view.state)) await this.#options.service.cancel(task);
  }

  #once(id: string, work: () => Promise<void>): Promise<void> {
    const running = this.#underWay.get(id);
    if (running !== undefined) return running;
    const started = work().finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, started);
    return started;
  }

  /** One after the other: the first to end would let turns begin during the others. */
  #shut(id: string, work: () => Promise<void>): Promise<void> {
    const { gate } = this.#options.service;
    const of = { class: OPERATOR_CLASS, context: id };
    const alone = async (): Promise<void> => {
      gate.shut(of);
      this.#options.conversations.forget(of);
      try {
        await this.#options.versionsSettled();
        await work();
      } finally {
        gate.reopen(of);
        this.#options.conversations.forget(of);
        if (this.#shutting.get(id) === done) this.#shutting.delete(id);
      }
    };
    const before = this.#shutting.get(id);
    const done = before === undefined ? alone() : before.then(alone, alone);
    this.#shutting.set(id, done);
    return done;
  }

  async #cancel(id: string): Promise<void> {
    const { db, journal, service } = this.#options;
    const open = journal.statements.selectOpenTaskIn.bind({ class: OPERATOR_CLASS, context: id });
    for (const [task] of await db.read(open)) await service.cancel(String(task));
  }

  async #erase(id: string, retire: boolean): Promise<void> {
    const { db, service, bus, written, forgetSession } = this.#options;
    await written();
    await forgetSession(id, retire);
    const tasks = (await db.read(TASKS.bind({ id }))).map(([task]) => String(task));
    const isIncognito = (await db.read(HAS_INCOGNITO.bind({ id }))).length > 0;
    for (let start = 0; start < tasks.length; start += BATCH)
      await this.#eraseTasks(id, tasks.slice(start, start + BATCH), { adopt: true, overwrite: isIncognito });
    service.forgetContext({ class: OPERATOR_CLASS, context: id });
    const rest = [...REST, ...(retire ? RETIRE : CLEAR), DONE];
    const statements = [...(retire ? await handOver(db, id) : []), ...rest.map((statement) => statement.bind({ id }))];
    await db.commit({ label: "session.deleted", statements, overwrite: isIncognito });
    bus.publish("session.changed", { session_id: id, deleted: retire, cleared: !retire });
  }

  /** `adopt`: what a fork shows becomes the fork's; else it goes too. `overwrite`: as of a command. */
  async #eraseTasks(
    id: string,
    tasks: readonly string[],
    { adopt, overwrite }: { readonly adopt: boolean; readonly overwrite: boolean },
  ): Promise<void> {
    const { db, journal } = this.#options;
    const rows = adopt ? await db.read(SHARED.bind({ id, tasks: JSON.stringify(tasks) })) : [];
    const shared = new Map(rows.map(([task, fork]) => [String(task), String(fork)]));
    const gone = tasks.filter((task) => !shared.has(task));
    const delegated = await db.read(DELEGATED.bind({ tasks: JSON.stringify(gone) }));
    const all = [...gone, ...delegated.map(([task]) => String(task))];
    await this.#options.forgetTasks(all);
    const statements: Statement[] = [...shared].flatMap(([task, fork]) => [
      ...ADOPT.map((statement) => statement.bind({ task, fork })),
      ADOPT_MESSAGES.bind({ id, task, fork }),
    ]);
    for (const task of all) statements.push(...[...OF_TASK, TASK].map((of) => of.bind({ task })));
    statements.push(...OF_SESSION.map((of) => of.bind({ id, tasks: JSON.stringify(gone) })));
    statements.push(FORGET_JOBS.bind({ tasks: JSON.stringify(all) }));
    for (const [task, context] of delegated) {
      const id = String(context);
      if (OWN_CONVERSATION.test(id)) statements.push(...[...REST, ...RETIRE].map((of) => of.bind({ id })));
      else statements.push(...OF_SESSION.map((of) => of.bind({ id, tasks: JSON.stringify([task]) })));
    }
    await db.commit({ label: "session.erase", statements, overwrite });
    for (const task of [...tasks, ...all]) journal.drop(task);
  }
}

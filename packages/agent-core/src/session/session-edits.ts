/**
 * Edits of a conversation as a whole: rewind, fork, regenerate, compact (EN7). No message is changed or copied. A rewind
 * or fork is one row that names what is shown from there on; turns that a rewind took back leave the list and stay in the
 * journal.
 *
 * Invariants
 *  SE1  What the model is shown after an edit is what it was shown after the turn that was named.
 *  SE2  An edit is one commit. A rewind waits for no turn and no turn begins during it: a session with a running turn is
 *       refused.
 *  SE4  An edit under a key is made once: a repetition gets the result of the first (A15).
 *  SE3  A turn that was taken back is not listed again, whoever reads the journal again.
 */
import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import { viewAfter } from "../context/index.ts";
import { commitIfExpected, type Database, namedStatement, type Statement } from "../database/index.ts";
import type { Journal } from "../journal/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import {
  contextKey,
  keyRow,
  type RequestKey,
  resultByKey,
  TaskError,
  type TaskHandle,
  type TaskService,
} from "../task/index.ts";
import type { TaskOptions } from "../turn/index.ts";
import { type AskedMessage, askedMessage } from "./asked-again.ts";
import { forkStatements } from "./fork-statements.ts";
import { IncognitoSessionError, UnknownSessionError, UnknownTurnError } from "./session-error.ts";

export interface SessionEditsOptions {
  readonly db: Database;
  readonly journal: Journal;
  readonly service: TaskService;
  readonly clock: Pick<Clock, "now">;
  readonly newId: () => string;
  /** Resolves when the index holds what was committed before. */
  readonly current: () => Promise<void>;
  readonly bus: EventBus;
}

export interface RewindOptions {
  /** False: the turn itself goes too. Default true. */
  readonly keep?: boolean;
  readonly key?: RequestKey | undefined;
  /** What it rejects with refuses the rewind. */
  readonly beforehand?: (turns: readonly string[]) => Promise<void>;
}

/** Turns looked through for the last one that answers a message. */
const MAX_LOOK_BACK = 50;

const NO = "(SELECT no FROM session WHERE id = :id)";
const READ = namedStatement("SELECT no FROM session WHERE id = :id");
const TURN = namedStatement(`SELECT state FROM session_turn WHERE session = ${NO} AND task = :turn`);
const BEFORE = namedStatement(`SELECT max(task) FROM session_turn WHERE session = ${NO} AND task < :turn`);
const AFTER = namedStatement(`SELECT count(*) FROM session_turn WHERE session = ${NO} AND task > :turn`);
const TAKEN = namedStatement(`SELECT task FROM session_turn WHERE session = ${NO} AND task > :turn ORDER BY task`);
const NEWEST = namedStatement(
  `SELECT task, state FROM session_turn WHERE session = ${NO} ORDER BY task DESC LIMIT ${MAX_LOOK_BACK}`,
);
const OPEN_BEFORE = namedStatement(
  `SELECT 1 FROM session_turn WHERE session = ${NO} AND task <= :turn AND state IN ('queued', 'running', 'parked') LIMIT 1`,
);
const COLUMNS = "task, origin, state, created_at, updated_at";
/** Under the negative number a turn is known and not listed. */
const PUT_AWAY = namedStatement(
  `INSERT INTO session_turn (session, ${COLUMNS}) SELECT -session, ${COLUMNS} FROM session_turn WHERE session = ${NO} AND task > :turn ON CONFLICT DO NOTHING`,
);
const TAKE_BACK = namedStatement(`DELETE FROM session_turn WHERE session = ${NO} AND task > :turn`);
const IS_INCOGNITO = namedStatement(
  `SELECT 1 FROM incognito_turn WHERE class = '${OPERATOR_CLASS}' AND context = :id AND whole = 1 LIMIT 1`,
);
export class SessionEdits {
  readonly #options: SessionEditsOptions;

  constructor(options: SessionEditsOptions) {
    this.#options = options;
  }

  /**
   * Goes back to a turn: later ones are no longer shown to the model nor listed. `keep` false: the turn itself goes too.
   * `beforehand` is given the turns that go, while no other begins. Resolves with how many turns were taken back.
   * @throws UnknownSessionError, UnknownTurnError, TaskError context_busy
   */
  async rewind(id: string, turn: string, { keep = true, key, beforehand }: RewindOptions = {}): Promise<number> {
    const { db } = this.#options;
    const before = await this.#resultOf(key);
    if (before !== undefined) return Number(before);
    const removed = await this.#alone(id, async () => {
      await this.#turnState(id, turn);
      const cut = keep ? turn : await this.#before(id, turn);
      const [count] = await db.read(AFTER.bind({ id, turn: cut }));
      if (Number(count?.[0]) === 0) return 0;
      if (beforehand !== undefined)
        await beforehand((await db.read(TAKEN.bind({ id, turn: cut }))).map(([task]) => String(task)));
      const statements = [...(await this.#goBack(id, cut)), ...this.#keyRows(key, String(count?.[0]))];
      await db.commit({ label: "session.rewind", statements });
      return Number(count?.[0]);
    });
    if (removed > 0) this.#publish(id);
    return removed;
  }

  /**
   * A new session with the conversation up to and including a turn; absent: its last one that ended.
   * @throws UnknownSessionError, UnknownTurnError, TaskError context_busy when that turn or one before it has not ended,
   * TaskError overloaded while it is deleted, IncognitoSessionError where it began incognito
   */
  async fork(
    id: string,
    { turn, title }: { readonly turn?: string; readonly title?: string } = {},
    request?: RequestKey,
  ): Promise<string> {
    const { db, newId, service } = this.#options;
    const before = await this.#resultOf(request);
    if (before !== undefined) return before;
    await this.#known(id);
    if ((await db.read(IS_INCOGNITO.bind({ id }))).length > 0) throw new IncognitoSessionError();
    const cut = turn ?? (await this.#lastEnded(id));
    await this.#turnState(id, cut);
    if ((await db.read(OPEN_BEFORE.bind({ id, turn: cut }))).length > 0) {
      throw new TaskError("context_busy", "that turn, or one before it, has not ended");
    }
    const fork = newId();
    const [session, ...rest] = await forkStatements(this.#options, { id, fork, turn: cut, title });
    // What is forked before a deletion begins, the deletion leaves to the fork; from then on nothing may be.
    service.gate.assertOpen(contextKey({ class: OPERATOR_CLASS, context: id }));
    service.shareIncognito({ class: OPERATOR_CLASS, context: id }, { class: OPERATOR_CLASS, context: fork });
    const statements = [...rest, ...this.#keyRows(request, fork)];
    if (!(await commitIfExpected(db, { label: "session.fork", expect: session, statements })))
      throw new UnknownTurnError(id, cut);
    this.#publish(fork);
    return fork;
  }

  /**
   * Answers the last user message again: its turn is taken back and a new one begins with the same message, in one
   * commit.
   * @throws UnknownSessionError, UnknownTurnError when there is none, TaskError context_busy, overloaded, draining
   */
  async regenerate(id: string, { model }: { readonly model?: string } = {}, key?: RequestKey): Promise<TaskHandle> {
    const { service } = this.#options;
    const before = key && (await service.byKey(OPERATOR_CLASS, key));
    if (before !== undefined) return before;
    const handle = await this.#alone(id, async () => {
      const last = await this.#lastMessage(id);
      const cut = await this.#before(id, last.turn);
      const back = await this.#goBack(id, cut);
      const options: TaskOptions = model === undefined ? last.options : { ...last.options, model };
      // Options carry it to the turn; what keeps it out of lists and removes it later reads the message.
      const incognito = last.options.incognito === true && { metadata: { incognito: true } };
      const input = { messageId: this.#options.newId(), parts: last.parts, ...incognito };
      const start = { class: OPERATOR_CLASS, context: id, origin: "chat", input, options } as const;
      const role = last.role !== undefined && { role: last.role };
      return service.start({ ...start, ...role, isAskedAgain: true, alongside: () => back, ...(key && { key }) });
    });
    this.#publish(id);
    return handle;
  }

  /** Replaces the older part of a conversation by a summary, in a turn of its own. @throws UnknownSessionError, TaskError */
  async compact(id: string, key?: RequestKey): Promise<TaskHandle> {
    const { service, newId } = this.#options;
    await this.#known(id);
    const input = { messageId: newId(), parts: [{ kind: "text" as const, text: "/compact" }] };
    const start = {
      class: OPERATOR_CLASS,
      context: id,
      origin: "chat",
      input,
      options: { purpose: "compact" },
    } as const;
    return service.start({ ...start, ...(key && { key }) });
  }

  async #resultOf(key: RequestKey | undefined): Promise<string | undefined> {
    return key && resultByKey(this.#options, OPERATOR_CLASS, key);
  }

  #keyRows(key: RequestKey | undefined, result: string): readonly Statement[] {
    return key === undefined ? [] : [keyRow(this.#options, OPERATOR_CLASS, key, result)];
  }

  #publish(session: string): void {
    this.#options.bus.publish("session.changed", { session_id: session });
  }

  async #alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    await this.#known(id);
    return this.#options.service.gate.alone({ class: OPERATOR_CLASS, context: id }, async () => {
      await this.#options.current();
      return work();
    });
  }

  async #known(id: string): Promise<void> {
    await this.#options.current();
    if ((await this.#options.db.read(READ.bind({ id }))).length === 0) throw new UnknownSessionError(id);
  }

  async #turnState(id: string, turn: string): Promise<string> {
    const [row] = await this.#options.db.read(TURN.bind({ id, turn }));
    if (row === undefined) throw new UnknownTurnError(id, turn);
    return String(row[0]);
  }

  /** The turn before one; empty: there is none. */
  async #before(id: string, turn: string): Promise<string> {
    const [row] = await this.#options.db.read(BEFORE.bind({ id, turn }));
    return typeof row?.[0] === "string" ? row[0] : "";
  }

  async #lastEnded(id: string): Promise<string> {
    const rows = await this.#options.db.read(NEWEST.bind({ id }));
    const ended = rows.find(([, state]) => !["queued", "running", "parked"].includes(String(state)));
    if (ended === undefined) throw new UnknownTurnError(id, undefined);
    return String(ended[0]);
  }

  async #lastMessage(id: string): Promise<AskedMessage & { readonly turn: string }> {
    for (const [task] of await this.#options.db.read(NEWEST.bind({ id }))) {
      const turn = String(task);
      const asked = await askedMessage(this.#options, turn);
      if (asked !== undefined) return { turn, ...asked };
    }
    throw new UnknownTurnError(id, undefined);
  }

  async #goBack(id: string, turn: string): Promise<Statement[]> {
    const { db, journal, clock } = this.#options;
    const key = { class: OPERATOR_CLASS, context: id };
    const body = await viewAfter(db, journal.statements, key, { turn });
    const row = { ...key, task: "", kind: "compaction", body, at: clock.now() };
    return [journal.statements.insertMessage.bind(row), PUT_AWAY.bind({ id, turn }), TAKE_BACK.bind({ id, turn })];
  }
}

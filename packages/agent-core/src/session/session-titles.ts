/**
 * Titles by a model, of conversations that began in the console. Each is a task of its own, so that its call is journaled,
 * accounted for and continued after a restart like any other.
 *
 * Invariants
 *  SH1  A conversation's title is asked for once: the mark that it is due is written with the first answer, and the task
 *       that is asked in the command that starts it. One that a restart ended is asked once more.
 *  SH2  A title that a person gave is never replaced, and of an incognito turn no title is made.
 */
import type { EventBus } from "../bus/index.ts";
import type { Clock, Timer } from "../clock/index.ts";
import { type Database, DatabaseError, isStoreGone, namedStatement, type Statement } from "../database/index.ts";
import { isTerminalState, type TaskView } from "../event/index.ts";
import type { Journal } from "../journal/index.ts";
import { costsNothing, TITLE_INSTRUCTIONS, titleRequest } from "../model/index.ts";
import type { Redactor } from "../redaction/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { INTERRUPTED, type StartTask, TaskError, type TaskService } from "../task/index.ts";
import { createToolbox } from "../tool/index.ts";
import { type ChosenModel, EMPTY_ANSWER, type TurnRole } from "../turn/index.ts";
import { askedMessage } from "./asked-again.ts";
import { headlineOf } from "./headline.ts";
import { readTaskTurn } from "./read-turns.ts";
import { redactedTurn } from "./redacted-turn.ts";
import type { SessionTurn } from "./session-turn.ts";

export interface SessionTitlesOptions {
  readonly db: Database;
  readonly journal: Journal;
  readonly service: Pick<TaskService, "start" | "get" | "cancel">;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: { warn(message: string): void };
  readonly newId: () => string;
  /** Undefined: the lead. @throws ModelError */
  readonly chooseModel: (value: string | undefined) => ChosenModel;
  /** What writes a session's title into the search. */
  readonly searched: (id: string) => readonly Statement[];
  readonly settings: () => { readonly titles: boolean; readonly auxModel: string };
}

/** The role that a title's task runs in. */
export const TITLE_ROLE = "title";
/** Titles that are asked for at a time. */
const MAX_RUNNING = 4;
/** Tokens of a call: a model that thinks first needs more than the title has. */
const MAX_TOKENS = 2_000;
/** Milliseconds until what the engine could not take is tried again. */
const AGAIN_MS = 10_000;
/** How often a title is asked for when restarts end the task. */
const MAX_ATTEMPTS = 2;

const DUE = namedStatement(
  `UPDATE session SET titling = 'due' WHERE id IN (SELECT value FROM json_each(:sessions)) AND titling IS NULL
AND title IS NULL AND version_of IS NULL AND NOT EXISTS (SELECT 1 FROM incognito_turn WHERE class = '${OPERATOR_CLASS}' AND context = session.id)`,
);
const OPEN = namedStatement(`SELECT id, titling FROM session WHERE titling > '' ORDER BY titling LIMIT 100`);
const FIRST_TURNS = namedStatement(
  "SELECT task FROM session_turn WHERE session = (SELECT no FROM session WHERE id = :id) ORDER BY task LIMIT 20",
);
const ASKED = namedStatement("UPDATE session SET titling = :task WHERE id = :id AND titling = 'due'");
const OVER = namedStatement("UPDATE session SET titling = '' WHERE id = :id");
const ASK_AGAIN = namedStatement("UPDATE session SET titling = 'due' WHERE titling = :task");
const OF_TASK = namedStatement("SELECT id FROM session WHERE titling = :task");
const OF_SESSION = namedStatement("SELECT titling FROM session WHERE id = :id AND titling > ''");
const GIVE = namedStatement("UPDATE session SET headline = :headline WHERE titling = :task AND title IS NULL");

/** What is asked about a conversation, and of which model. */
type Question = Pick<StartTask, "input" | "options" | "parent">;

export class SessionTitles {
  readonly #options: SessionTitlesOptions;
  /** Tasks that are asked. */
  readonly #asked = new Set<string>();
  /** How often a restart ended the task of a session that is asked about again. */
  readonly #interrupted = new Map<string, number>();
  #tail: Promise<unknown> = Promise.resolve();
  #waking = false;
  #started = false;
  #closed = false;
  #timer: Timer | undefined;

  constructor(options: SessionTitlesOptions) {
    this.#options = options;
  }

  /** The roles of its tasks: no tools, and a text of their own. */
  roles(): { readonly [name: string]: TurnRole } {
    return { [TITLE_ROLE]: { toolbox: createToolbox([]), system: TITLE_INSTRUCTIONS, maxRounds: 0 } };
  }

  /** Whether a commit of a task may make a title due. Called for every task: microseconds. */
  wants({ state, role, models, history }: Readonly<TaskView>): boolean {
    if (state !== "completed" || role !== undefined || models.length === 0) return false;
    const [first] = history;
    if (first?.from !== "caller" || first.message.metadata?.surface !== "console") return false;
    return first.message.metadata.incognito !== true && this.#options.settings().titles;
  }

  /** What marks these sessions, a JSON list, where none was ever asked for (SH1). */
  due(sessions: string): Statement {
    return DUE.bind({ sessions });
  }

  /** Takes over what a former process left. */
  start(): void {
    this.#started = true;
    this.wake();
  }

  /** Asks for titles that are due, soon. */
  wake(): void {
    if (!this.#started || this.#waking || this.#closed) return;
    this.#waking = true;
    void this.#serially(() => {
      this.#waking = false;
      return this.#pass();
    });
  }

  /** To be called with every commit of a task. */
  onCommit(view: Readonly<TaskView>): void {
    if (view.role !== TITLE_ROLE || !isTerminalState(view.state) || !this.#asked.has(view.id)) return;
    void this.#serially(() => this.#take(view));
  }

  /** Asks for none of a session that is being removed. */
  async forget(id: string): Promise<void> {
    await this.#serially(async () => {
      const [row] = await this.#options.db.read(OF_SESSION.bind({ id }));
      if (row === undefined) return;
      await this.#commit([OVER.bind({ id })]);
      const task = String(row[0]);
      this.#asked.delete(task);
      if (task !== "due") await this.#options.service.cancel(task);
    });
  }

  /** Starts none any more; resolves when nothing runs here. */
  async stop(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    await this.#tail;
  }

  /** Never rejects: a title is worth no failure. What could not be done is tried again. */
  #serially(run: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(run).catch((error: unknown) => {
      if (this.#closed || isStoreGone(error)) return;
      if (!(error instanceof TaskError)) this.#options.log.warn(`titles of conversations: ${String(error)}`);
      this.#timer?.cancel();
      this.#timer = this.#options.clock.setTimeout(() => this.wake(), AGAIN_MS, { background: true });
    });
    this.#tail = done;
    return done;
  }

  async #pass(): Promise<void> {
    const rows = (await this.#options.db.read(OPEN.bind({}))).map((row) => row.map(String));
    for (const [id = "", titling = ""] of rows) {
      if (this.#closed) return;
      if (titling !== "due") await this.#watch(id, titling);
      else if (this.#asked.size < MAX_RUNNING) await this.#ask(id);
    }
  }

  async #watch(id: string, task: string): Promise<void> {
    if (this.#asked.has(task)) return;
    this.#asked.add(task);
    const handle = await this.#options.service.get(task);
    if (handle === undefined) {
      this.#asked.delete(task);
      await this.#commit([OVER.bind({ id })]);
    } else if (isTerminalState(handle.view.state)) await this.#take(handle.view);
  }

  async #ask(id: string): Promise<void> {
    const { service, newId, log } = this.#options;
    const question = await this.#question(id).catch((error: unknown) => {
      if (error instanceof DatabaseError) throw error;
      // Asked again it would fail again, and keep the others from theirs.
      log.warn(`a conversation keeps its first words as a title: ${String(error)}`);
      return undefined;
    });
    if (question === undefined) return this.#commit([OVER.bind({ id })]);
    const task = newId();
    this.#asked.add(task);
    try {
      const { view } = await service.start({
        ...{ id: task, class: OPERATOR_CLASS, context: `title:${task}`, origin: "auxiliary", role: TITLE_ROLE },
        ...question,
        alongside: () => [ASKED.bind({ id, task })],
      });
      this.#interrupted.delete(id);
      if (isTerminalState(view.state)) await this.#take(view);
    } catch (error) {
      this.#asked.delete(task);
      throw error;
    }
  }

  /** Undefined: nothing is to be asked, or no model for it. */
  async #question(id: string): Promise<Question | undefined> {
    const { db, settings } = this.#options;
    const model = settings().titles ? this.#model() : undefined;
    if (model === undefined) return undefined;
    const rows = await db.read(FIRST_TURNS.bind({ id }));
    const turns = await this.#conversation(rows.map(([task]) => String(task)));
    const [first] = turns;
    const answered = turns.findLast(({ state }) => state === "completed");
    if (first === undefined || answered === undefined) return undefined;
    const message = first.messages.find(({ from }) => from === "user");
    const asked = message?.text || message?.files.map(({ name = "" }) => name).join(" ") || "";
    if (asked.trim() === "") return undefined;
    const attempt = (this.#interrupted.get(id) ?? 0) + 1;
    return {
      input: {
        messageId: this.#options.newId(),
        parts: [{ kind: "text", text: titleRequest({ asked, answered: answered.answer }) }],
        metadata: { subagent_type: TITLE_ROLE, description: "Names a conversation", attempt },
      },
      options: { ...model, unattended: true, sampling: { maxTokens: MAX_TOKENS } },
      parent: { task: answered.task, call: TITLE_ROLE },
    };
  }

  /** Of these turns the first, and the first with an answer: one that was stopped may come before. Commands are none. */
  async #conversation(tasks: readonly string[]): Promise<readonly SessionTurn[]> {
    const { db, journal, redactor } = this.#options;
    const found: SessionTurn[] = [];
    for (const task of tasks) {
      if ((await askedMessage({ db, journal }, task)) === undefined) continue;
      const read = await readTaskTurn(db, task);
      if (read === undefined) continue;
      found.push(redactedTurn(read.turn, redactor));
      if (read.turn.state === "completed") return found;
    }
    return found;
  }

  /** Undefined: there is none that may be asked. */
  #model(): { readonly model?: string } | undefined {
    const { chooseModel, settings } = this.#options;
    const { auxModel } = settings();
    if (auxModel !== "") return { model: auxModel };
    const { price, commands } = chooseModel(undefined);
    // Commands of its own has the scripted model alone, which costs nothing and has no price.
    return costsNothing(price) || commands !== undefined ? {} : undefined;
  }

  async #take(view: Readonly<TaskView>): Promise<void> {
    const { db, bus, searched } = this.#options;
    const { id: task, state, failure, answer } = view;
    if (!this.#asked.delete(task)) return;
    const [row] = await db.read(OF_TASK.bind({ task }));
    if (row === undefined) return;
    const id = String(row[0]);
    const attempt = attemptOf(view);
    if (state === "failed" && failure?.code === INTERRUPTED.code && attempt < MAX_ATTEMPTS) {
      this.#interrupted.set(id, attempt);
      await this.#commit([ASK_AGAIN.bind({ task })]);
      return this.wake();
    }
    const [part] = state === "completed" ? (answer ?? []) : [];
    const headline = part?.kind === "text" && part.text !== EMPTY_ANSWER ? headlineOf(part.text) : undefined;
    const given = headline === undefined ? [] : [GIVE.bind({ task, headline }), ...searched(id)];
    await this.#commit([...given, OVER.bind({ id })]);
    if (headline !== undefined) bus.publish("session.changed", { session_id: id });
    this.wake();
  }

  async #commit(statements: readonly Statement[]): Promise<void> {
    await this.#options.db.commit({ label: "session.title", statements });
  }
}

function attemptOf({ history }: Readonly<TaskView>): number {
  const [first] = history;
  return first?.from === "caller" ? Number(first.message.metadata?.attempt ?? 1) : 1;
}

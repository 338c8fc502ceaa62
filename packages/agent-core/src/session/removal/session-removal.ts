/**
 * Deletes sessions (O8): the running turn is canceled; messages, journal, calls, prompts, steering and snapshots are
 * removed, and where the session is forgotten too no byte of them is left in the files. Telemetry numbers and audit lines stay.
 *
 * Invariants
 *  SD1  An intent is durable before anything is removed or forgotten; whenever the process is killed, the next one continues
 *      where it stopped, and what fails is tried again. Every step can be repeated.
 *  SD2  Nothing begins in a session that is being deleted, and readers of the journal write nothing of it again.
 *  SD3  Turns that a fork shows stay: they are the fork's from then on. Where it is being deleted too they go.
 *  SD4  With a conversation its versions go, unless it goes by itself, as by retention: the newest of them is listed then.
 *  SD5  Memories are forgotten before the session goes, and once more after its turns are gone: what a call stored until then.
 *  SD6  No row of a task that runs is removed: it is ended before, whatever conversation it has.
 */
import { IndexMerge, type Statement } from "../../database/index.ts";
import { isTerminalState } from "../../event/index.ts";
import { OWN_CONVERSATION } from "../../journal/index.ts";
import { OPERATOR_CLASS } from "../../share/index.ts";
import { RemovalUnfinishedError, UnknownSessionError } from "../session-error.ts";
import { erasureOf } from "./erasure.ts";
import { forgetSummaries } from "./forget-summaries.ts";
import type { SessionRemovalOptions } from "./removal-options.ts";
import {
  CLEAR,
  DELEGATED,
  DONE,
  INCOGNITO,
  INTEND,
  KNOWN,
  LISTED_BESIDE,
  PENDING,
  REST,
  RETIRE,
  SHARED,
  TASKS,
} from "./removal-statements.ts";
import { type ForgottenCounts, NOTHING, type RemoveSession, sumOf } from "./remove-session.ts";
import { handOver, versionsBeside } from "./version-removal.ts";

/** A deletion that is durable. */
interface Intent {
  readonly id: string;
  readonly retire: boolean;
  readonly forget: boolean;
}

/** Tasks per command. */
const BATCH = 50;
/** Milliseconds between two tries to finish a deletion. */
const RETRY_MS = 10_000;

export class SessionRemoval {
  readonly #options: SessionRemovalOptions;
  readonly #underWay = new Map<string, Promise<ForgottenCounts>>();
  readonly #shutting = new Map<string, Promise<void>>();
  /** Deletions that did not come to their end; their sessions stay shut (SD2). */
  readonly #unfinished = new Map<string, Intent>();
  readonly #searched: IndexMerge;
  #triedAt = 0;
  #erasing: Promise<unknown> = Promise.resolve();
  #forgetMemories: (session: string) => Promise<ForgottenCounts> = async () => NOTHING;

  constructor(options: SessionRemovalOptions) {
    this.#options = options;
    this.#searched = new IndexMerge(async () => options.db, { index: "session_text", columns: ["text"] });
  }

  /** Forgets what turns of a session stored in this way from here on. It must be repeatable. */
  useForgetting(forget: (session: string) => Promise<ForgottenCounts>): void {
    this.#forgetMemories = forget;
  }

  /**
   * Deletes a session; no row of it is left when it resolves.
   * @throws UnknownSessionError, DatabaseError; RemovalUnfinishedError: the intent is durable, and it is tried again
   */
  async remove(id: string, { retire, forget = false, alone = false }: RemoveSession): Promise<ForgottenCounts> {
    const { db, listed } = this.#options;
    const before = this.#underWay.get(id);
    if (before !== undefined) {
      const counts = await before;
      return forget ? sumOf(counts, await this.#forgetMemories(id)) : counts;
    }
    await listed();
    if ((await db.read(KNOWN.bind({ id }))).length === 0) throw new UnknownSessionError(id);
    return this.#once(id, async () => {
      let counts = NOTHING;
      await this.#shut(id, async () => {
        const versions = alone ? [] : await versionsBeside(db, id);
        const intents = [...versions.map((version) => ({ id: version, retire: true, forget })), { id, retire, forget }];
        await this.#shutAll(versions, async () => {
          counts = await this.#removeShut(intents);
        });
      });
      return counts;
    });
  }

  async #removeShut(intents: readonly Intent[]): Promise<ForgottenCounts> {
    const { db, clock } = this.#options;
    const at = clock.now();
    // What was accepted before is in the store once this is.
    const statements = intents.map(({ id, retire, forget }) =>
      INTEND.bind({ id, retire: retire ? 1 : 0, forget: forget ? 1 : 0, at }),
    );
    await db.commit({ label: "session.delete", statements });
    for (const { id, retire, forget } of intents) {
      const before = this.#unfinished.get(id) ?? { retire, forget };
      this.#unfinished.set(id, { id, retire: retire || before.retire, forget: forget || before.forget });
    }
    this.#triedAt = at;
    try {
      for (const { id } of intents) await this.#cancel(id);
      let counts = NOTHING;
      for (const { id } of intents) counts = sumOf(counts, await this.#erase(this.#unfinished.get(id)!));
      return counts;
    } catch (error) {
      throw new RemovalUnfinishedError(error);
    }
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
    for (const [context, retire, forget] of rows) {
      const intent = { id: String(context), retire: retire === 1, forget: forget === 1 };
      this.#unfinished.set(intent.id, intent);
      this.#options.service.gate.shut({ class: OPERATOR_CLASS, context: intent.id });
      await this.#cancel(intent.id);
    }
    this.#triedAt = this.#options.clock.now();
    return { sessions: [...this.#unfinished.keys()], finish: () => this.#finish() };
  }

  /** Tries again what did not come to its end, if it is time to. Rejects with the first failure. */
  async retry(): Promise<void> {
    const now = this.#options.clock.now();
    if (this.#unfinished.size === 0 || now - this.#triedAt < RETRY_MS) return;
    this.#triedAt = now;
    await this.#finish();
  }

  /** One that fails does not keep the others from their end. */
  async #finish(): Promise<void> {
    const failures: unknown[] = [];
    for (const id of [...this.#unfinished.keys()]) {
      const work = async (): Promise<void> => {
        const intent = this.#unfinished.get(id);
        if (intent !== undefined) await this.#erase(intent);
      };
      const done = this.#once(id, () => this.#shut(id, work).then(() => NOTHING));
      await done.catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Removes turns of a session with all their text; a session without other turns is removed too. */
  async eraseTurns(id: string, tasks: readonly string[]): Promise<void> {
    const { db, written, bus, service } = this.#options;
    await this.#shut(id, async () => {
      for (const task of tasks) await this.#cancelOne(task);
      await written();
      const forks = await forgetSummaries(db, id, tasks);
      const isWhole = (await db.read(LISTED_BESIDE.bind({ id, tasks: JSON.stringify(tasks) }))).length === 0;
      for (let start = 0; start === 0 || start < tasks.length; start += BATCH) {
        // With the last of its turns the session goes in the same commit: no one would look for it after a kill.
        const isLast = isWhole && start + BATCH >= tasks.length;
        const rest = isLast ? [...(await handOver(db, id)), ...[...REST, ...RETIRE].map((of) => of.bind({ id }))] : [];
        await this.#eraseTasks(id, tasks.slice(start, start + BATCH), { adopt: false, overwrite: true, rest });
      }
      this.#forgetConversations(forks);
      service.forgetIncognito({ class: OPERATOR_CLASS, context: id });
      if (isWhole) service.forgetContext({ class: OPERATOR_CLASS, context: id });
    });
    if (!OWN_CONVERSATION.test(id)) bus.publish("session.changed", { session_id: id });
  }

  /** What forks were shown goes out of memory too. */
  #forgetConversations(forks: readonly string[]): void {
    for (const context of forks) this.#options.conversations.forget({ class: OPERATOR_CLASS, context });
  }

  async #cancelOne(task: string): Promise<void> {
    const handle = await this.#options.service.get(task);
    if (handle !== undefined && !isTerminalState(handle.view.state)) await this.#options.service.cancel(task);
  }

  /** What a turn that has ended left running, as the check of its goal does: whose rows are removed can commit nothing any more. */
  async #endAll(open: readonly string[]): Promise<void> {
    if (open.length === 0) return;
    for (const task of open) await this.#cancelOne(task);
    await this.#options.written();
  }

  #once(id: string, work: () => Promise<ForgottenCounts>): Promise<ForgottenCounts> {
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
        if (!this.#unfinished.has(id)) gate.reopen(of);
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

  /** Serializes what deletions read and write: no turn may be left to a fork that has listed those it removes (SD3). */
  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#erasing.then(work);
    this.#erasing = done.catch(() => {});
    return done;
  }

  async #erase({ id, retire, forget }: Intent): Promise<ForgottenCounts> {
    const { db, service, bus, written, forgetSession } = this.#options;
    await written();
    const before = forget ? await this.#forgetMemories(id) : NOTHING;
    await forgetSession(id, retire);
    const tasks = await this.#oneAtATime(async () => (await db.read(TASKS.bind({ id }))).map(([task]) => String(task)));
    const incognito = (await db.read(INCOGNITO.bind({ id }))).map(([task]) => String(task));
    const forks = incognito.length > 0 ? await forgetSummaries(db, id, incognito) : [];
    const overwrite = forget || incognito.length > 0;
    for (let start = 0; start < tasks.length; start += BATCH)
      await this.#oneAtATime(() => this.#eraseTasks(id, tasks.slice(start, start + BATCH), { adopt: true, overwrite }));
    this.#forgetConversations(forks);
    service.forgetContext({ class: OPERATOR_CLASS, context: id });
    const after = forget ? await this.#forgetMemories(id) : NOTHING;
    const rest = [...REST, ...(retire ? RETIRE : CLEAR)];
    const statements = [...(retire ? await handOver(db, id) : []), ...rest.map((statement) => statement.bind({ id }))];
    if (forget) {
      await db.commit({ label: "session.emptied", statements, overwrite });
      await this.#searched.clean();
      await this.#options.eraseRemains();
    }
    const last = forget ? [] : statements;
    await db.commit({ label: "session.deleted", statements: [...last, DONE.bind({ id })], overwrite });
    this.#unfinished.delete(id);
    bus.publish("session.changed", { session_id: id, deleted: retire, cleared: !retire });
    return sumOf(before, after);
  }

  /** `adopt`: what a fork shows becomes the fork's; else it goes too. `overwrite`: as of a command. */
  async #eraseTasks(
    id: string,
    tasks: readonly string[],
    { adopt, overwrite, rest = [] }: { adopt: boolean; overwrite: boolean; rest?: readonly Statement[] },
  ): Promise<void> {
    const { db, journal } = this.#options;
    const rows = adopt ? await db.read(SHARED.bind({ id, tasks: JSON.stringify(tasks) })) : [];
    const shared = new Map(rows.map(([task, fork]) => [String(task), String(fork)]));
    const gone = tasks.filter((task) => !shared.has(task));
    const below = await db.read(DELEGATED.bind({ tasks: JSON.stringify(gone) }));
    await this.#endAll(below.flatMap(([task, , isOpen]) => (isOpen === 1 ? [String(task)] : [])));
    const delegated = new Map(below.map(([task, context]) => [String(task), String(context)]));
    const all = [...gone, ...delegated.keys()];
    await this.#options.forgetTasks(all);
    const statements = erasureOf({ id, shared, gone, delegated });
    await db.commit({ label: "session.erase", statements: [...statements, ...rest], overwrite });
    for (const task of [...tasks, ...all]) journal.drop(task);
  }
}

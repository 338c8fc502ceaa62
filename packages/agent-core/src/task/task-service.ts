/**
 * What can be done with tasks: start, read, answer, steer, cancel (R1, R8, A8, A9, A13, A15; EN3, EN4,
 * EN9). Every method's promise resolves after the commit that makes it true.
 *
 * Invariants
 *  TU4  What a decision was made on is checked and acted on without an await between; the store's compare-and-set
 *       decides (EN3).
 *  TU5  An idempotency key is stored in the same commit as what is accepted under it (A15).
 */
import type { EventBus } from "../bus/index.ts";
import { CommandRegistry } from "../command/index.ts";
import type { Statement } from "../database/index.ts";
import type { TaskOrigin } from "../event/index.ts";
import type { TurnDeps } from "../turn/index.ts";
import { AcceptanceLimits } from "./acceptance-limits.ts";
import { answerTask } from "./answer-task.ts";
import { ContextGate, type ContextName } from "./context-gate.ts";
import { FollowUpTurns } from "./follow-up-turns.ts";
import type { IncognitoConversations } from "./incognito.ts";
import { contextKey } from "./queue-entry.ts";
import { type Notice, recordNotice } from "./recorded/notice-task.ts";
import type { RequestKey } from "./request-key.ts";
import type { AcceptedTask, AnswerTask, StartTask } from "./start-task.ts";
import { type PendingSteer, type Steer, Steering } from "./steering.ts";
import { TaskAcceptance } from "./task-acceptance.ts";
import { type TaskHandle, taskHandle } from "./task-handle.ts";
import { TaskLookup } from "./task-lookup.ts";
import type { TurnBounds } from "./turn-bounds.ts";
import { TurnRunner } from "./turn-runner.ts";

export interface TaskServiceOptions {
  readonly deps: TurnDeps;
  /** Gets changes other than those of tasks. */
  readonly bus: EventBus;
  /** How many turns run and wait (S7). */
  readonly bounds: () => TurnBounds;
  /** Bytes of tasks in memory beyond which new ones are refused for a while (EN10). */
  readonly maxHeldBytes: number;
  /** Which conversations had incognito turns. */
  readonly incognito: IncognitoConversations;
  /** Asked, for every new task, for what becomes durable with it. */
  readonly accompany?: ((task: AcceptedTask, at: number) => readonly Statement[]) | undefined;
  /** A failure that belongs to no task. */
  readonly onFatal: (error: unknown) => void;
}

/** Starts, answers, steers, cancels and lists the tasks of one store. */
export class TaskService {
  readonly runner: TurnRunner;
  /** Commands for operators (R15). */
  readonly commands = new CommandRegistry();
  /** For what is done to a context as a whole. */
  readonly gate: ContextGate;
  readonly #deps: TurnDeps;
  readonly #accompany: TaskServiceOptions["accompany"];
  readonly #lookup: TaskLookup;
  readonly #steering: Steering;
  readonly #limits: AcceptanceLimits;
  readonly #acceptance: TaskAcceptance;
  readonly #followUps: FollowUpTurns;
  readonly #incognito: IncognitoConversations;

  constructor({ deps, bus, bounds, maxHeldBytes, onFatal, accompany, incognito }: TaskServiceOptions) {
    this.#deps = deps;
    this.#accompany = accompany;
    this.#lookup = new TaskLookup(deps);
    this.#steering = new Steering(deps, bus);
    this.runner = new TurnRunner({
      deps,
      bounds,
      onFatal,
      takeSteering: (key) => this.#steering.take(key),
      onEnded: (record) => this.#followUps.startIfUnread(record.view),
    });
    const { queue } = this.runner;
    this.gate = new ContextGate({
      deps,
      queue,
      onFree: (of) => this.#followUps.startIfUnread({ ...of, origin: "chat" }),
    });
    this.#limits = new AcceptanceLimits({
      journal: deps.journal,
      log: deps.log,
      steering: this.#steering,
      queue,
      maxHeldBytes,
    });
    const shared = { deps, gate: this.gate, steering: this.#steering, limits: this.#limits };
    const { runner, commands } = this;
    this.#incognito = incognito;
    const kept = { lookup: this.#lookup, incognito: this.#incognito };
    this.#acceptance = new TaskAcceptance({ ...shared, ...kept, runner, commands, accompany });
    this.#followUps = new FollowUpTurns({ ...shared, queue, acceptance: this.#acceptance, onFatal });
  }

  /**
   * Accepts a message as a new task. One that is a command is carried out first (R15).
   * @throws TaskError overloaded, draining, key_conflict, unsupported_content, unknown_command
   * @throws DatabaseError when the store cannot accept it; nothing was acknowledged then
   */
  start(start: StartTask): Promise<TaskHandle> {
    return this.#acceptance.start(start);
  }

  /**
   * Adds a message to a conversation that no model is asked about; whatever runs there goes on.
   * @throws TaskError draining, overloaded @throws DatabaseError
   */
  async notify(notice: Notice): Promise<TaskHandle> {
    this.#limits.assertAccepting();
    this.gate.assertOpen(contextKey(notice));
    return recordNotice(notice, this.#deps, this.#accompany);
  }

  /** The task, whoever's it is: surfaces check the class of `view` (A16). */
  get(id: string): Promise<TaskHandle | undefined> {
    return this.#lookup.get(id);
  }

  /** The task in a context whose prompt has waited longest for a person; `origin`: of this one alone (V1, O8). */
  parkedIn(of: ContextName & { readonly origin?: TaskOrigin }): Promise<TaskHandle | undefined> {
    return this.#lookup.parkedIn(of);
  }

  /**
   * The task that was accepted under an idempotency key (A15).
   * @throws TaskError key_conflict, and unknown_task where the task was deleted since: it is not started again
   */
  byKey(callerClass: string, key: RequestKey): Promise<TaskHandle | undefined> {
    return this.#lookup.byKey(callerClass, key);
  }

  /**
   * Delivers a reply to a parked task's prompt. An answer that does not fit, and an approval by a class that may not
   * give it, leave the task parked.
   * @throws TaskError unknown_task, not_waiting, prompt_gone, draining, key_conflict, overloaded
   */
  async answer(id: string, reply: AnswerTask): Promise<TaskHandle> {
    this.#limits.assertAccepting();
    const known = await this.#lookup.byKey(reply.class, reply.key);
    if (known !== undefined) return known;
    this.#limits.assertMemory(reply.class);
    const record = await this.#lookup.record(id);
    return answerTask({ deps: this.#deps, runner: this.runner, lookup: this.#lookup }, record, reply);
  }

  /**
   * Cancels: the model call and running tools are aborted at once (A8). On a terminal task nothing changes.
   * @throws TaskError unknown_task
   */
  async cancel(id: string): Promise<TaskHandle> {
    const record = await this.#lookup.record(id);
    await this.runner.end(record, { kind: "canceled" });
    return taskHandle(this.#deps.journal, record);
  }

  /**
   * Durable steering of a context: read once, by the next model call of the turn that runs there, or by a turn of its
   * own when none runs (R8). Resolves with that turn, where it started one.
   * @throws TaskError overloaded, draining, unsupported_content, key_conflict
   */
  steer(steer: Steer): Promise<TaskHandle | undefined> {
    return this.#followUps.steer(steer);
  }

  /** A former process left incognito turns in a context. `whole`: it began with one. */
  rememberIncognito(of: ContextName, whole: boolean): void {
    this.#incognito.remember(of, whole);
  }

  /** A context is about to be shown what another one was, of which incognito turns may be a part. */
  shareIncognito(from: ContextName, fork: ContextName): void {
    this.#incognito.share(from, fork);
  }

  /** Forgets that a context had incognito turns, once they are removed. */
  forgetIncognito(of: ContextName): void {
    this.#incognito.forget(of);
  }

  /** Forgets what waits to be read in a context whose rows are being removed, and how it began. */
  forgetContext(of: ContextName): void {
    this.#steering.forget(contextKey(of));
    this.#incognito.forget(of);
  }

  /** What waits to be read in a context, oldest first. */
  unread(of: ContextName): readonly PendingSteer[] {
    return this.#steering.pending(contextKey(of));
  }

  /** How many messages wait to be read in a context. */
  unreadCount(of: ContextName): number {
    return this.#steering.count(contextKey(of));
  }

  /**
   * Withdraws an unread message by its `messageId`. False: it was read already, or there never was one.
   * @throws DatabaseError
   */
  withdraw(of: ContextName, id: string): Promise<boolean> {
    return this.#followUps.withdraw(of, id);
  }

  /** Takes over the steering that a former process left unread. */
  loadSteering(): Promise<void> {
    return this.#steering.load();
  }

  /** Starts a turn for loaded steering in contexts where none runs or waits, but for those where it `stays` unread. */
  readLeftovers(stays: (of: ContextName) => boolean | Promise<boolean>): Promise<void> {
    return this.#followUps.readLeftovers(stays);
  }

  /** Accepts nothing and starts no turn from now on. */
  close(): void {
    this.#limits.close();
    this.runner.queue.close();
  }
}

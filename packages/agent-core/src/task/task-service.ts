/**
 * What can be done with tasks: start, read, answer, steer, cancel (R1, R8, A8, A9, A13, A15; EN3, EN4,
 * EN9). Every method's promise resolves after the commit that makes it true.
 *
 * Invariants
 *  TU4  What a decision was made on is checked and acted on without an await between; the store's compare-and-set has
 *       the last word (EN3).
 *  TU5  An idempotency key is stored in the same commit as what it stands for (A15).
 */
import { setImmediate } from "node:timers/promises";
import type { EventBus } from "../bus/index.ts";
import { CommandRegistry } from "../command/index.ts";
import { messageBody, showMessage } from "../context/index.ts";
import { DatabaseError, type Statement } from "../database/index.ts";
import type { InputMessage, TaskEvent, TaskOrigin } from "../event/index.ts";
import { JournalError, type TaskRecord } from "../journal/index.ts";
import { freshTurn, modelCallId, type TaskOptions, type TurnDeps } from "../turn/index.ts";
import { Admission } from "./admission.ts";
import { type AnsweredPrompt, answerChange } from "./answer-prompt.ts";
import { commandOfMessage, runCommand } from "./command-task.ts";
import { ContextGate, type ContextName } from "./context-gate.ts";
import { asksIncognito, incognitoRow } from "./incognito.ts";
import { contentOf, isLarge, type ReadMessage, readMessage, storedMessages } from "./prior-message.ts";
import { contextKey, queueEntryOf } from "./queue-entry.ts";
import { keyRow, type RequestKey, resultByKey } from "./request-key.ts";
import { type AcceptedTask, type AnswerTask, acceptedEvent, type StartTask } from "./start-task.ts";
import { type PendingSteer, type Steer, Steering } from "./steering.ts";
import { TaskError } from "./task-error.ts";
import { type TaskHandle, taskHandle } from "./task-handle.ts";
import type { TurnBounds } from "./turn-bounds.ts";
import { type TurnFrame, TurnRunner } from "./turn-runner.ts";

/** Milliseconds until a follow-up turn that the store could not take is tried again. */
const FOLLOW_UP_RETRY_MS = 1_000;
const NOTHING: readonly Statement[] = [];

/** Options of the service. */
export interface TaskServiceOptions {
  readonly deps: TurnDeps;
  /** Told of what changes beside the tasks. */
  readonly bus: EventBus;
  /** How many turns run and wait (S7). */
  readonly bounds: () => TurnBounds;
  /** Bytes of tasks in memory beyond which new ones are refused for a while (EN10). */
  readonly maxHeldBytes: number;
  /** Asked, for every new task, for what becomes durable with it. */
  readonly accompany?: ((task: AcceptedTask, at: number) => readonly Statement[]) | undefined;
  /** Something failed that no task can be told of. */
  readonly onFatal: (error: unknown) => void;
}

/** The tasks of one store. */
export class TaskService {
  readonly runner: TurnRunner;
  /** What operators can say as a command (R15). */
  readonly commands = new CommandRegistry();
  /** For what is done to a context as a whole. */
  readonly gate: ContextGate;
  readonly #deps: TurnDeps;
  readonly #onFatal: (error: unknown) => void;
  readonly #accompany: TaskServiceOptions["accompany"];
  readonly #steering: Steering;
  readonly #admission: Admission;
  #accepting = true;

  constructor({ deps, bus, bounds, maxHeldBytes, onFatal, accompany }: TaskServiceOptions) {
    this.#deps = deps;
    this.#onFatal = onFatal;
    this.#accompany = accompany;
    this.#steering = new Steering(deps, bus);
    this.runner = new TurnRunner({
      deps,
      bounds,
      onFatal,
      takeSteering: (key) => this.#steering.take(key),
      onEnded: (record) => this.#followUp(record.view),
    });
    const { queue } = this.runner;
    this.#admission = new Admission({ journal: deps.journal, steering: this.#steering, queue, maxHeldBytes });
    this.gate = new ContextGate({ deps, queue, onFree: (of) => this.#followUp({ ...of, origin: "chat" }) });
  }

  /**
   * Accepts a message as a new task. One that is a command is carried out first (R15).
   * @throws TaskError overloaded, draining, key_conflict, unsupported_content, unknown_command
   * @throws DatabaseError when the store cannot accept it; nothing was acknowledged then
   */
  async start(start: StartTask): Promise<TaskHandle> {
    this.#assertAccepting();
    const message = readMessage(start.input);
    if (isLarge(message)) await setImmediate();
    if (start.id !== undefined) {
      const known = await this.#byId(start.id);
      if (known !== undefined) return known;
    }
    if (start.key !== undefined) {
      const known = await this.byKey(start.class, start.key);
      if (known !== undefined) return known;
    }
    const entry = queueEntryOf({ ...start, context: start.context ?? "" });
    if (start.context !== undefined) this.gate.assertOpen(entry.key);
    this.#admission.assertMemory(start.class);
    this.#admission.assertQueue(entry);
    const said = commandOfMessage(start);
    if (said === undefined) return this.#accept(start, message, []);
    return runCommand(said, start, {
      deps: this.#deps,
      commands: this.commands,
      accept: (meant) => this.#accept(meant, meant.input === start.input ? message : readMessage(meant.input), []),
      byKey: (key) => this.byKey(start.class, key),
    });
  }

  /** The task, whoever's it is: surfaces check the class of `view` (A16). */
  async get(id: string): Promise<TaskHandle | undefined> {
    const found = this.#deps.journal.get(id);
    const record = found instanceof Promise ? await found : found;
    return record === undefined ? undefined : taskHandle(this.#deps.journal, record);
  }

  /** The task in a context whose prompt has waited longest for a person; `origin`: of this one alone (V1, O8). */
  async parkedIn(of: {
    readonly class: string;
    readonly context: string;
    readonly origin?: TaskOrigin;
  }): Promise<TaskHandle | undefined> {
    const { class: callerClass, context, origin = null } = of;
    const oldest = this.#deps.journal.statements.selectParkedTask.bind({ class: callerClass, context, origin });
    const [row] = await this.#deps.db.read(oldest);
    return row === undefined ? undefined : this.get(String(row[0]));
  }

  /**
   * Delivers a reply to a parked task's prompt. An answer that does not fit, and an approval by a class that may not
   * give it, leave the task parked.
   * @throws TaskError unknown_task, not_waiting, prompt_gone, draining, key_conflict, overloaded
   */
  async answer(id: string, reply: AnswerTask): Promise<TaskHandle> {
    this.#assertAccepting();
    if (reply.key !== undefined) {
      const known = await this.byKey(reply.class, reply.key);
      if (known !== undefined) return known;
    }
    this.#admission.assertMemory(reply.class);
    const record = await this.#record(id);
    while (record.inflight > 0) await new Promise<void>((resolve) => record.onChange(resolve));
    const entry = queueEntryOf(record.view);
    const free = this.runner.queue.free(entry);
    let answered: AnsweredPrompt | undefined;
    try {
      answered = answerChange(record, reply, this.#deps, free ? "running" : "queued");
    } catch (error) {
      // A twin of this request may have answered while it waited (A15).
      const known = reply.key === undefined ? undefined : await this.byKey(reply.class, reply.key);
      if (known !== undefined) return known;
      throw error;
    }
    const handle = taskHandle(this.#deps.journal, record);
    if (answered === undefined) return handle;
    const { change, resumes } = answered;
    const extra = reply.key === undefined ? [] : [keyRow(this.#deps, reply.class, reply.key, id)];
    this.#deps.journal.hold(record);
    const committed = this.#deps.journal.append(record, {
      ...change,
      statements: [...(change.statements ?? []), ...extra],
    });
    try {
      if (resumes) await this.runner.enqueue(record, entry, committed);
      else await committed;
    } catch (error) {
      const known = reply.key === undefined ? undefined : await this.byKey(reply.class, reply.key);
      if (known !== undefined) return known;
      if (error instanceof JournalError || (error instanceof DatabaseError && error.code === "expectation_failed")) {
        throw new TaskError("prompt_gone", "the prompt is no longer pending");
      }
      throw error;
    } finally {
      this.#deps.journal.unhold(record);
    }
    return handle;
  }

  /**
   * Cancels: the model call and running tools are aborted at once (A8). On a terminal task nothing changes.
   * @throws TaskError unknown_task
   */
  async cancel(id: string): Promise<TaskHandle> {
    const record = await this.#record(id);
    await this.runner.end(record, { kind: "canceled" });
    return taskHandle(this.#deps.journal, record);
  }

  /**
   * Durable steering of a context: read once, by the next model call of the turn that runs there, or by a turn of its
   * own when none runs (R8). Resolves with that turn, where it started one.
   * @throws TaskError overloaded, draining, unsupported_content, key_conflict
   */
  async steer(steer: Steer): Promise<TaskHandle | undefined> {
    this.#assertAccepting();
    contentOf(steer.input);
    this.gate.assertOpen(contextKey(steer));
    this.#admission.assertMemory(steer.class);
    const isNew = await this.#steering.accept(steer);
    if (!isNew || this.runner.queue.held(contextKey(steer))) return undefined;
    return this.#startFollowUp(steer.class, steer.context, steer.origin);
  }

  /** Forgets what waits to be read in a context whose rows are being removed. */
  forgetSteering(of: { readonly class: string; readonly context: string }): void {
    this.#steering.forget(contextKey(of));
  }

  /** What waits to be read in a context, oldest first. */
  unread(of: { readonly class: string; readonly context: string }): readonly PendingSteer[] {
    return this.#steering.pending(contextKey(of));
  }

  /** How many messages wait to be read in a context. */
  unreadCount(of: { readonly class: string; readonly context: string }): number {
    return this.#steering.count(contextKey(of));
  }

  /**
   * Withdraws an unread message by its `messageId`. False: it was read already, or there never was one.
   * @throws DatabaseError
   */
  async withdraw(of: { readonly class: string; readonly context: string }, id: string): Promise<boolean> {
    try {
      return await this.#steering.withdraw(of, id);
    } catch (error) {
      // The turn that would have read it may have ended meanwhile.
      this.#followUp({ ...of, origin: "embed" });
      throw error;
    }
  }

  /** Takes over the steering that a former process left unread. */
  loadSteering(): Promise<void> {
    return this.#steering.load();
  }

  /** Starts a turn for loaded steering in contexts where none runs or waits, but for those where it `stays` unread. */
  async readLeftovers(stays: (of: ContextName) => boolean | Promise<boolean>): Promise<void> {
    for (const of of this.#steering.contexts) {
      if (!(await stays(of))) this.#followUp({ ...of, origin: "embed" });
    }
  }

  /** Accepts nothing and starts no turn from now on. */
  close(): void {
    this.#accepting = false;
    this.runner.queue.close();
  }

  async #accept(start: StartTask, message: ReadMessage, extra: readonly Statement[]): Promise<TaskHandle> {
    const { content, body } = message;
    const { journal, conversations, clock } = this.#deps;
    const context = start.context ?? this.#deps.newId();
    const of = { class: start.class, context };
    const entry = queueEntryOf({ ...of, origin: start.origin, role: start.role });
    const { key } = entry;
    this.gate.assertOpen(key);
    const id = start.id ?? this.#deps.newId();
    const free = this.runner.queue.free(entry);
    // Steering that waits is read by the first model call, so its intent cannot be committed along with the task.
    const incognito = asksIncognito(start.input);
    const options: TaskOptions = incognito ? { ...start.options, incognito } : (start.options ?? {});
    const speaks = options.purpose === undefined;
    const model = free && speaks && this.#steering.count(key) === 0 ? this.#leadModel(start.options) : undefined;
    const state = free ? "running" : "queued";
    const accepted = acceptedEvent(start, of, state);
    const intent: TaskEvent[] =
      model === undefined ? [] : [{ kind: "model.started", call: modelCallId(1), step: 1, model }];
    const at = clock.now();
    // A turn that waits adds its message when it starts (`restoreTurn`).
    const before = start.context === undefined ? storedMessages(start.history ?? []) : [];
    const messages = before.map((prior) =>
      journal.statements.insertMessage.bind({ ...of, task: id, kind: prior.kind, body: messageBody(prior), at }),
    );
    if (incognito) messages.push(incognitoRow({ ...of, task: id, at }));
    if (free && speaks)
      messages.push(journal.statements.insertMessage.bind({ ...of, task: id, kind: "user", body, at }));
    const keys = start.key === undefined ? [] : [keyRow(this.#deps, start.class, start.key, id)];
    // What the conversation held before this message; read beside the commit.
    const earlier = free && start.context !== undefined ? conversations.read(of, id) : undefined;
    earlier?.catch(() => {});
    const { record, committed } = journal.create(
      { id, ...of, origin: start.origin, options: JSON.stringify(options), parent: start.parent?.task },
      {
        label: "task.accept",
        events: [accepted, ...intent],
        statements: [
          ...[...messages, ...keys, ...extra],
          ...(start.alongside?.({ id, context }) ?? NOTHING),
          ...(this.#accompany?.({ id, ...of, origin: start.origin }, at) ?? NOTHING),
        ],
      },
    );
    const prepare = async (frame: TurnFrame) => {
      const turn = freshTurn({ ...frame, options }, this.#deps);
      const { conversation, step } = turn;
      if (earlier !== undefined) Object.assign(conversation, await earlier);
      for (const prior of before) conversation.messages.push(...showMessage(prior));
      if (speaks) conversation.messages.push({ role: "user", content });
      if (model === undefined) return turn;
      step.number = 1;
      step.call = { call: modelCallId(1), step: 1, model, startedAt: at };
      return turn;
    };
    try {
      if (free) await this.runner.runNow(record, { ...entry, reads: earlier !== undefined }, committed, prepare);
      else await this.runner.enqueue(record, entry, committed);
    } catch (error) {
      const known =
        start.key !== undefined && isConstraint(error) ? await this.byKey(start.class, start.key) : undefined;
      if (known !== undefined) return known;
      throw error;
    }
    return taskHandle(journal, record);
  }

  #leadModel(options: TaskOptions | undefined): string | undefined {
    try {
      return this.#deps.chooseModel(options?.model).name;
    } catch {
      // The turn itself says which model it could not find.
      return undefined;
    }
  }

  #assertAccepting(): void {
    if (!this.#accepting) throw new TaskError("draining", "the service is going down", 5);
  }

  async #record(id: string): Promise<TaskRecord> {
    const found = this.#deps.journal.get(id);
    const record = found instanceof Promise ? await found : found;
    if (record === undefined) throw new TaskError("unknown_task", `there is no task ${id}`);
    return record;
  }

  /**
   * The task that an idempotency key stands for (A15).
   * @throws TaskError key_conflict, and unknown_task where the task was deleted since: it is not started again
   */
  async byKey(callerClass: string, key: RequestKey): Promise<TaskHandle | undefined> {
    const id = await resultByKey(this.#deps, callerClass, key);
    if (id === undefined) return undefined;
    const known = await this.#byId(id);
    if (known === undefined)
      throw new TaskError("unknown_task", "the task that this idempotency key stands for was deleted");
    return known;
  }

  async #byId(id: string): Promise<TaskHandle | undefined> {
    const found = this.#deps.journal.get(id);
    const record = found instanceof Promise ? await found : found;
    return record === undefined ? undefined : taskHandle(this.#deps.journal, record, true);
  }

  /** Leftovers are read by the next turn of the context; where none waits, by one of their own (R8). */
  #followUp(of: { readonly class: string; readonly context: string; readonly origin: TaskOrigin }): void {
    const key = contextKey(of);
    if (this.#steering.count(key) === 0 || !this.#accepting || this.gate.isShut(key) || this.runner.queue.held(key))
      return;
    this.#startFollowUp(of.class, of.context, of.origin).catch((error: unknown) => {
      const waits = error instanceof DatabaseError && (error.code === "full" || error.code === "unreachable");
      if (!waits) return this.#onFatal(error);
      this.#deps.log.warn(`steering in ${of.context} waits: the store cannot take a turn (${error.code})`);
      this.#deps.clock.setTimeout(() => this.#followUp(of), FOLLOW_UP_RETRY_MS, { background: true });
    });
  }

  /** One turn for all the steering that no turn read; the rows go in the commit that accepts it. */
  async #startFollowUp(callerClass: string, context: string, origin: TaskOrigin): Promise<TaskHandle | undefined> {
    const key = contextKey({ class: callerClass, context });
    const rows = this.#steering.take(key);
    if (rows.length === 0) return undefined;
    const inputs = rows.map((row) => JSON.parse(row.body) as InputMessage);
    const parts = inputs.flatMap((message) => message.parts);
    const incognito = inputs.some(asksIncognito) ? { metadata: { incognito: true } } : {};
    const input: InputMessage = { messageId: inputs[0]!.messageId, parts, ...incognito };
    const gone = rows.map((row) => this.#deps.journal.statements.deleteSteering.bind({ id: row.id }));
    try {
      return await this.#accept({ class: callerClass, context, origin, input }, readMessage(input), gone);
    } catch (error) {
      this.#steering.putBack(key, rows);
      throw error;
    }
  }
}

function isConstraint(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "constraint";
}

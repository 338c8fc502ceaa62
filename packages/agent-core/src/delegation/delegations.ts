/**
 * Work that calls hand to tasks of their own (R1, R3, R5, A11; B53 `subagents`): the same task service,
 * the same journal, the same guards.
 *
 * Invariants
 *  DL1  A delegation's task has an id that follows from its call, so a call that is made again finds it (R3).
 *  DL2  A task that ends has ended what it delegated before, and its account has theirs, each once (A11).
 *  DL3  What is delegated delegates nothing: there is one level.
 */
import type { AnyTool, ToolContext } from "@agent-service/plugin-sdk";
import type { DelegationFinished, InputMessage, TaskView } from "../event/index.ts";
import type { Engine } from "../feature/index.ts";
import { PartyCount, partyOf, shareOf } from "../share/index.ts";
import { INTERRUPTED, TaskError, type TaskHandle } from "../task/index.ts";
import { traceparentOf } from "../tracing/index.ts";
import type { DelegatedWork, EndReason } from "../turn/index.ts";
import type { BackgroundPort } from "./background-port.ts";
import { Bills, billFor } from "./bills.ts";
import { childTaskId } from "./child-task-id.ts";
import type { Delegate, DelegatingCall, RunningDelegation, StartChild } from "./delegation.ts";
import { type DelegationOutcome, outcomeOf } from "./delegation-outcome.ts";
import { delegationTools } from "./delegation-tools.ts";
import { RoleBook } from "./role-book.ts";
import { Slots } from "./slots.ts";
import type { SubagentsSectionValue } from "./subagents-section.ts";

/** Delegations that run at a time, of all turns together; the others wait (S7). */
const MAX_RUNNING = 256;

/** Delegations that run or wait, of all turns and people together (EN10). */
const MAX_OPEN = 2_000;

interface Running extends Omit<RunningDelegation, "state"> {
  readonly class: string;
  readonly context: string;
  /** Ends the wait for it, and keeps it from starting. */
  readonly stop: AbortController;
  handle: TaskHandle | undefined;
  /** Settles when its start was decided. */
  started: Promise<unknown>;
}

export interface DelegationsOptions {
  /** What they delegate to. Its bus gets starts and ends, after their commit. */
  readonly engine: Pick<Engine, "db" | "journal" | "service" | "toolbox" | "newId" | "bus" | "traceparent">;
  /** B53 `subagents`, the current value. */
  readonly settings: () => SubagentsSectionValue;
  /** B65 `routing.aux_model`, the current value; blank for none. */
  readonly auxModel: () => string;
}

/** The delegations of one store. */
export class Delegations implements DelegatedWork {
  readonly roles: RoleBook;
  /** `task`, `task_batch` and `stop_task`, for who leads. */
  readonly tools: readonly AnyTool[];
  readonly #options: DelegationsOptions;
  readonly #engine: DelegationsOptions["engine"];
  readonly #slots = new Slots(MAX_RUNNING);
  readonly #open = new PartyCount();
  /** By delegating task; what a person delegates stands alone. */
  readonly #running = new Map<string, Running[]>();
  /** Accounts of calls that have ended and whose outcome is not written yet. */
  readonly #bills = new Bills();
  #background: BackgroundPort | undefined;

  constructor(options: DelegationsOptions) {
    this.#options = options;
    const { engine, settings } = options;
    this.#engine = engine;
    this.roles = new RoleBook({ settings, toolbox: () => engine.toolbox });
    this.tools = delegationTools({
      delegations: this,
      callOf: (context) => this.#callOf(context),
      bounds: settings,
      background: () => this.#background,
    });
  }

  /** Sets what runs background work. Called while features open, by the one that does. */
  runInBackgroundBy(port: BackgroundPort): void {
    this.#background = port;
  }

  /**
   * Starts a task in a role, or finds the one of that id.
   * @throws DelegationError unknown_role, role_disabled
   * @throws TaskError, DatabaseError as `TaskService.start`
   */
  async start(child: StartChild): Promise<TaskHandle> {
    const { service, newId } = this.#engine;
    const { origin, role, prompt, description, parent, alongside } = child;
    // What was started continues, whatever became of its role.
    const known = child.id === undefined ? undefined : await service.get(child.id);
    if (known !== undefined) return known;
    const { model: pin } = this.roles.need(role);
    const id = child.id ?? newId();
    const model = pin || child.model || this.#options.auxModel() || undefined;
    const input: InputMessage = {
      messageId: id,
      parts: [{ kind: "text", text: prompt }],
      metadata: { subagent_type: role, description, ...(child.incognito === true && { incognito: true }) },
    };
    return service.start({
      ...{ id, class: child.class, context: child.context ?? `subagent:${id}`, origin, role, input },
      options: {
        ...(model !== undefined && { model }),
        ...(child.unattended === true && { unattended: true }),
        ...(child.outside === true && { wordsFrom: "task" }),
        ...(child.bypassApprovals === true && { bypassApprovals: true }),
      },
      ...(parent && { parent }),
      trace: child.trace,
      ...(alongside && { alongside }),
    });
  }

  /**
   * Has a subagent do something for a call and waits until it has ended, also over restarts: the call that is made again
   * finds its task (DL1). Its account is kept for `delegationsOf`.
   * @throws DelegationError, TaskError, DatabaseError as `start`
   * @throws the signal's reason; the task continues then, for whoever ends or resumes the delegating one
   */
  async run(of: DelegatingCall, delegate: Delegate, signal: AbortSignal): Promise<DelegationOutcome> {
    const { options, trace } = of;
    return this.#perform(this.#enter({ ...of, parent: of.task }, delegate), delegate, { ...options, trace, signal });
  }

  /**
   * Has a subagent do something that no call asked for, listed under a session; it continues whoever waits for it. Whoever
   * asks again with the same `name` (letters, digits) and position waits for the same task.
   * @throws DelegationError, TaskError, DatabaseError as `start`
   */
  async runAlone(
    of: { readonly class: string; readonly session: string },
    delegate: Delegate,
    name: string = this.#engine.newId().replaceAll("-", ""),
  ): Promise<DelegationOutcome> {
    const call = `run_${name}`;
    const running = this.#enter({ call, class: of.class, context: of.session, parent: undefined }, delegate);
    return this.#perform(running, delegate, {});
  }

  async #perform(
    running: Running,
    delegate: Delegate,
    how: DelegatingCall["options"] & Partial<Pick<DelegatingCall, "trace">> & { readonly signal?: AbortSignal },
  ): Promise<DelegationOutcome> {
    const { signal = new AbortController().signal, ...options } = how;
    const waiting = AbortSignal.any([signal, running.stop.signal]);
    let slot = false;
    try {
      await this.#slots.acquire(running.class, waiting);
      slot = true;
      waiting.throwIfAborted();
      const { parent: task, call, role, class: caller } = running;
      const starting = this.start({
        ...{ id: running.task, class: caller, origin: "subagent", role, ...options },
        ...{ prompt: delegate.prompt, description: delegate.description },
        ...(task !== undefined && { parent: { task, call } }),
      });
      running.started = starting.catch(() => {});
      running.handle = await starting;
      this.#publish(running, "running");
      const view = await running.handle.ended(signal);
      this.#finished(running, view);
      return outcomeOf(view);
    } catch (error) {
      if (running.stop.signal.aborted && !signal.aborted) return canceledBeforeStart(running);
      // The process is going down: the call has no outcome, and the next process makes it again.
      const isDraining = error instanceof TaskError && error.code === "draining";
      if (isDraining && running.parent !== undefined) await aborted(signal);
      throw error;
    } finally {
      if (slot) this.#slots.release(running.class);
      this.#leave(running);
    }
  }

  /** What a conversation has delegated and is not done yet, oldest first. */
  running(of: { readonly class: string; readonly context: string }): readonly RunningDelegation[] {
    return this.#of(of).map(({ id, call, parent, role, label, task, handle }) => {
      return { id, call, parent, role, label, task, state: handle?.view.state ?? "queued" };
    });
  }

  /**
   * Cancels a delegation of a conversation, by its id, or all of a call; who delegated reads that and continues. False: none
   * such runs.
   * @throws DatabaseError
   */
  async cancel(of: { readonly class: string; readonly context: string }, id: string): Promise<boolean> {
    const meant = this.#of(of).filter((running) => running.id === id || running.call === id);
    for (const running of meant) {
      running.stop.abort(new DOMException("canceled", "AbortError"));
      await running.started;
      if (running.handle !== undefined) await this.#engine.service.cancel(running.task);
    }
    return meant.length > 0;
  }

  delegationsOf(call: string): readonly DelegationFinished[] {
    return this.#bills.take(call);
  }

  /** Has the account of an ended task, which a feature started for a call of another one, billed with that call. */
  bill(view: Readonly<TaskView>): void {
    if (view.parent !== undefined) this.#bills.add(view.parent.call, view);
  }

  waits(task: string): boolean {
    return (this.#running.get(task) ?? []).some(({ handle }) => {
      const state = handle?.view.state ?? "queued";
      return state === "queued" || state === "parked";
    });
  }

  async end(
    view: Readonly<TaskView>,
    billed: ReadonlySet<string>,
    reason: EndReason,
  ): Promise<readonly DelegationFinished[]> {
    const { db, journal, service } = this.#engine;
    const running = this.#running.get(view.id) ?? [];
    for (const { stop } of running) stop.abort(new DOMException("its task ended", "AbortError"));
    await Promise.all(running.map(({ started }) => started));
    const rows = await db.read(journal.statements.selectChildren.bind({ parent: view.id }));
    const open = rows.filter(([id, origin]) => origin === "subagent" && !billed.has(String(id)));
    const interrupted = reason.kind === "failed" && reason.failure.code === INTERRUPTED.code;
    const bills = await Promise.all(
      open.map(async ([id]) => {
        const record = await journal.get(String(id));
        if (record === undefined) return [];
        await service.runner.end(record, interrupted ? reason : { kind: "canceled" }, { once: true });
        const call = record.view.parent?.call ?? "";
        this.#bills.take(call);
        return [billFor(call, record.view)];
      }),
    );
    return bills.flat();
  }

  async #callOf({ taskId, callId, caller: { tainted } }: ToolContext): Promise<DelegatingCall | undefined> {
    const { service, journal } = this.#engine;
    const view = (await service.get(taskId))?.view;
    if (view === undefined || view.role !== undefined) return undefined;
    const stored = await journal.optionsOf(taskId);
    const { model, unattended, incognito, bypassApprovals } = JSON.parse(stored ?? "{}") as DelegatingCall["options"];
    const options = {
      model,
      ...(unattended && { unattended }),
      ...(incognito && { incognito }),
      ...(tainted && { outside: true }),
      ...(bypassApprovals && { bypassApprovals }),
    };
    const { class: caller, context, trace: within } = view;
    // Without tracing a turn is in a trace only if its caller named one.
    const trace = this.#engine.traceparent(view, callId) ?? (within && traceparentOf(taskId, callId, within));
    return { task: taskId, call: callId, class: caller, context, options, trace };
  }

  #of(of: { readonly class: string; readonly context: string }): Running[] {
    const all = [...this.#running.values()].flat();
    return all.filter((running) => running.class === of.class && running.context === of.context);
  }

  #enter(
    of: Pick<Running, "call" | "parent" | "class" | "context"> & Partial<Pick<DelegatingCall, "options">>,
    { position, role, description }: Delegate,
  ): Running {
    const party = partyOf(of.class);
    if (!this.#open.free(party, MAX_OPEN)) {
      throw new TaskError("overloaded", `${shareOf(party, MAX_OPEN)} delegations run and wait already`, 10);
    }
    this.#open[party]++;
    const running: Running = {
      ...{ call: of.call, parent: of.parent, role, class: of.class, context: of.context },
      id: position === 0 ? of.call : `${of.call}-${position + 1}`,
      // Lists and events show it; events are kept for readers that come back.
      label: of.options?.incognito === true ? "" : description,
      task: childTaskId(of.call, position),
      stop: new AbortController(),
      handle: undefined,
      started: Promise.resolve(),
    };
    const known = this.#running.get(keyOf(running));
    if (known === undefined) this.#running.set(keyOf(running), [running]);
    else known.push(running);
    return running;
  }

  #leave(running: Running): void {
    this.#open[partyOf(running.class)]--;
    const key = keyOf(running);
    const left = (this.#running.get(key) ?? []).filter((other) => other !== running);
    if (left.length === 0) this.#running.delete(key);
    else this.#running.set(key, left);
  }

  #finished(running: Running, view: Readonly<TaskView>): void {
    this.#publish(running, view.state);
    if (running.parent !== undefined) this.#bills.add(running.call, view);
  }

  #publish({ id, parent, task, role, label, context }: Running, state: string): void {
    const data = { id, session_id: context, task_id: task, parent: parent ?? null, subagent_type: role, label, state };
    this.#engine.bus.publish("delegation.changed", data);
  }
}

function keyOf({ parent, call }: Running): string {
  return parent ?? call;
}

function canceledBeforeStart({ task }: Running): DelegationOutcome {
  return { task, ok: false, text: "The delegation was canceled before it began.", failure: undefined };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

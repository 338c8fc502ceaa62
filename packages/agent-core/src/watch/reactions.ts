/**
 * What follows when a watch fires: a turn in its conversation, or a message without a model.
 *
 * Invariants
 *  WA1  A fire and the reaction it starts are stored in one command: a kill leaves both or neither.
 *  TR3  A reaction that a restart interrupted is started again at most twice in a row, and its message says so.
 */
import type { Clock } from "../clock/index.ts";
import { type Database, DatabaseError, type Statement } from "../database/index.ts";
import type { Journal } from "../journal/index.ts";
import type { TaskHandle, TaskService } from "../task/index.ts";
import type { Toolbox } from "../tool/index.ts";
import { hadEffects, isDraining, isOverloaded, TriggerDriver } from "../trigger/index.ts";
import { dueReactions, type ReactionStep } from "./due-reactions.ts";
import type { HeldWatch, HeldWatches } from "./held-watch.ts";
import { isFromOutside, noticeText, reactionText } from "./reaction-text.ts";
import type { FireKind, Watch, WatchState } from "./watch.ts";
import type { WatchStore } from "./watch-store.ts";

/** Attempts of a reaction that restarts may interrupt. */
const MOST_ATTEMPTS = 3;

export interface ReactionsOptions {
  readonly db: Database;
  readonly journal: Journal;
  readonly service: Pick<TaskService, "start" | "get" | "notify">;
  readonly clock: Clock;
  readonly log: { warn(message: string): void };
  readonly toolbox: () => Toolbox;
  readonly store: WatchStore;
  readonly watches: HeldWatches;
}

/** A fire as it is stored. */
export interface Fired {
  /** The watch as it is after it. */
  readonly watch: Watch;
  readonly kind: FireKind;
  readonly reason: string;
  readonly evidence: string;
}

export class Reactions {
  readonly trigger: TriggerDriver<HeldWatch, ReactionStep>;
  readonly #options: ReactionsOptions;

  constructor(options: ReactionsOptions) {
    this.#options = options;
    const { journal, service, clock, log, watches } = options;
    this.trigger = new TriggerDriver({
      ...{ name: "watches", journal, service, clock, log },
      tasksOf: ({ watch }) => (watch.state.reaction === undefined ? [] : [watch.state.reaction]),
      due: (rows, look) => dueReactions(rows, look),
      take: (step) => watches.lock(step.held.watch.id, () => this.#take(step)),
    });
  }

  /** Has what is open of a watch followed. */
  hold(held: HeldWatch): void {
    const { reaction, pending } = held.watch.state;
    if ((reaction !== undefined || pending > 0) && !this.trigger.rows.includes(held)) this.trigger.rows.push(held);
  }

  /** Stores a fire with what it starts (WA1). @throws DatabaseError, TaskError; nothing happened then */
  async fire(held: HeldWatch, fired: Fired): Promise<void> {
    const { watch, kind } = fired;
    const isEdge = kind === "met" || kind === "change";
    if (!isEdge || watch.runPrompt === undefined) return this.#notify(held, fired);
    const { window } = held;
    const { clock } = this.#options;
    const isBusy = watch.state.reaction !== undefined;
    if (isBusy || window.wait(clock.now()) > 0) return this.#count(held, fired, isBusy);
    try {
      await this.#start(held, watch, { fires: 1, attempt: 1 }, fired);
    } catch (error) {
      if (!isOverloaded(error)) throw error;
      await this.#count(held, fired, true);
    }
  }

  async #take({ held, ...step }: ReactionStep): Promise<void> {
    if (!this.trigger.rows.includes(held)) return;
    const { watch } = held;
    const { state } = watch;
    if (step.kind === "start") return this.#startPending(held);
    const { toolbox, db } = this.#options;
    const isAgain =
      step.interrupted && state.attempt < MOST_ATTEMPTS && !(await hadEffects(db, state.reaction ?? "", toolbox()));
    if (isAgain) await this.#start(held, watch, { fires: 1, attempt: state.attempt + 1 });
    else await this.#store(held, { ...state, reaction: undefined, attempt: 0 });
    if (!isAgain && state.pending === 0) this.trigger.drop([held]);
  }

  /** One reaction to all that waits, or none where there were too many. */
  async #startPending(held: HeldWatch): Promise<void> {
    const { watch, window } = held;
    const { state } = watch;
    const { pending } = state;
    try {
      if (watch.runPrompt !== undefined && window.wait(this.#options.clock.now()) === 0) {
        const next = { ...watch, state: { ...state, pending: 0 } };
        return await this.#start(held, next, { fires: pending, attempt: 1 });
      }
    } catch (error) {
      if (error instanceof DatabaseError || isOverloaded(error) || isDraining(error)) throw error;
      this.#options.log.warn(`the reaction of the watch ${watch.id} cannot begin: ${String(error)}`);
    }
    await this.#store(held, { ...state, pending: 0, suppressed: state.suppressed + pending });
    this.trigger.drop([held]);
  }

  /** Counts a fire for a later reaction, or as one that has none. */
  async #count(held: HeldWatch, fired: Fired, waits: boolean): Promise<void> {
    const { db } = this.#options;
    const { state } = fired.watch;
    const counted = waits ? { pending: state.pending + 1 } : { suppressed: state.suppressed + 1 };
    const watch = { ...fired.watch, state: { ...state, ...counted } };
    await db.commit({ label: "watch.count", statements: this.#rows({ ...fired, watch }, undefined) });
    held.watch = watch;
    this.hold(held);
    this.trigger.wake();
  }

  async #start(
    held: HeldWatch,
    watch: Watch,
    { fires, attempt }: { readonly fires: number; readonly attempt: number },
    fired?: Fired,
  ): Promise<void> {
    const { service, clock, store } = this.#options;
    const { lastReason = "", lastEvidence = "" } = watch.state;
    const reason = fired?.reason ?? lastReason;
    const evidence = fired?.evidence ?? lastEvidence;
    const text = reactionText(watch, { fires, attempt, reason, evidence });
    let next = watch;
    const task: TaskHandle = await service.start({
      ...{ class: watch.class, context: watch.context, origin: "watch", ...this.#of(watch) },
      input: { messageId: crypto.randomUUID(), parts: [{ kind: "text", text }] },
      options: { unattended: true, ...(isFromOutside(watch) ? { wordsFrom: "watch" } : {}) },
      alongside: ({ id }) => {
        next = { ...watch, state: { ...watch.state, reaction: id, attempt } };
        return fired === undefined ? [store.put(next)] : this.#rows({ ...fired, watch: next }, id);
      },
    });
    held.watch = next;
    held.window.note(clock.now());
    this.trigger.watch(task.view);
    this.hold(held);
    this.trigger.wake();
  }

  async #notify(held: HeldWatch, fired: Fired): Promise<void> {
    const { service } = this.#options;
    const { watch, kind } = fired;
    await service.notify({
      ...{ class: watch.class, context: watch.context, origin: "watch", ...this.#of(watch) },
      subject: `(The watch ${watch.id}: ${kind}.)`,
      text: noticeText(watch, kind, fired),
      wordsFrom: isFromOutside(watch) ? "watch" : undefined,
      alongside: ({ id }) => this.#rows(fired, id),
    });
    held.watch = watch;
  }

  async #store(held: HeldWatch, state: WatchState): Promise<void> {
    const watch = { ...held.watch, state };
    await this.#options.db.commit({ label: "watch.reaction", statements: [this.#options.store.put(watch)] });
    held.watch = watch;
  }

  #rows({ watch, kind, reason, evidence }: Fired, task: string | undefined): readonly Statement[] {
    const { store, clock } = this.#options;
    return [store.put(watch), ...store.addFire(watch.id, { at: clock.now(), kind, task, reason, evidence })];
  }

  #of({ id }: Watch) {
    return { provenance: { trigger: `watch:${id}` } };
  }
}

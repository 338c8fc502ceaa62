/**
 * Rows that name tasks: after every change of a task that a row names, at its time, and after a restart alike, a pure function
 * says what is due, and the steps are taken one after the other.
 *
 * Invariants
 *  TR1  A row and the task it starts are one command: a kill leaves both or neither.
 *  TR2  What is due is a pure function of rows, states of tasks and time.
 *  TR6  A row whose step fails, as long as its conversation is being deleted for one, holds up no other row.
 */
import { setImmediate } from "node:timers/promises";
import type { Clock, Timer } from "../clock/index.ts";
import { isStoreGone } from "../database/index.ts";
import type { TaskView } from "../event/index.ts";
import type { Journal } from "../journal/index.ts";
import type { TaskService } from "../task/index.ts";
import { isDraining } from "./start-refusal.ts";
import { lookOf, type TaskLook } from "./task-look.ts";

/** Milliseconds until what the store or the engine could not take is tried again. */
const AGAIN_MS = 1_000;

/** What to do now, and when to look again if nothing happens; undefined: then nothing is due. */
export interface DueSteps<Step> {
  readonly steps: readonly Step[];
  readonly at: number | undefined;
}

export interface TriggerOptions<Row, Step> {
  /** What it drives, for the log. */
  readonly name: string;
  readonly journal: Pick<Journal, "onCommit">;
  readonly service: Pick<TaskService, "get">;
  readonly clock: Clock;
  readonly log: { warn(message: string): void };
  /** The tasks that decide about a row. */
  readonly tasksOf: (row: Row) => readonly string[];
  /** Pure. `look` returns undefined for a task that was deleted. */
  readonly due: (rows: readonly Row[], look: (task: string) => TaskLook | undefined, now: number) => DueSteps<Step>;
  /** Takes a step: one command, and the same change of the rows in memory. Asked again where it rejects. */
  readonly take: (step: Step) => Promise<void>;
}

export class TriggerDriver<Row, Step> {
  /** Rows with something left to do, in the order they came. */
  rows: Row[] = [];
  readonly #options: TriggerOptions<Row, Step>;
  /** The state of the tasks that decide about them; undefined: deleted, or not read yet. */
  readonly #looks = new Map<string, TaskLook | undefined>();
  readonly #unlisten: () => void;
  #tail: Promise<unknown> = Promise.resolve();
  #asked = false;
  #closed = false;
  #timer: Timer | undefined;
  /** Why steps fail, as the log has it already. */
  #warned: string | undefined;

  constructor(options: TriggerOptions<Row, Step>) {
    this.#options = options;
    this.#unlisten = options.journal.onCommit(({ view }) => {
      if (this.#looks.size === 0 || !this.#looks.has(view.id)) return;
      if (this.#looks.get(view.id)?.state === view.state) return;
      this.#looks.set(view.id, lookOf(view));
      this.wake();
    });
  }

  /** Runs after what runs now, and before what comes after. */
  serially<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(run);
    this.#tail = done.catch(() => {});
    return done;
  }

  /** Does what is due, soon. */
  wake(): void {
    if (this.#asked || this.#closed) return;
    this.#asked = true;
    this.serially(async () => {
      // What is committed together wakes it once: a look goes through all rows.
      await setImmediate();
      this.#asked = false;
      this.#timer?.cancel();
      const at = await this.#pass();
      this.#warned = undefined;
      if (at !== undefined) this.#lookAgain(at - this.#options.clock.now());
    }).catch((error: unknown) => this.failed(error));
  }

  /** Resolves once everything is done that was due when it was called. */
  async idle(): Promise<void> {
    while (this.#asked) await this.#tail;
    await this.#tail;
  }

  /** Starts nothing from now on; resolves when nothing runs. */
  async stop(): Promise<void> {
    this.#closed = true;
    this.#unlisten();
    this.#timer?.cancel();
    await this.#tail;
  }

  /** A step failed: it is retried, unless the service stops (then the next process reads the rows and continues). */
  failed(error: unknown): void {
    if (this.#closed || isStoreGone(error) || isDraining(error)) return;
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== this.#warned) this.#options.log.warn(`${this.#options.name}: ${reason}; trying again`);
    this.#warned = reason;
    this.#lookAgain(AGAIN_MS);
  }

  /** Nothing is left to be done about these. */
  drop(rows: readonly Row[]): void {
    this.rows = this.rows.filter((row) => !rows.includes(row));
  }

  /** Watches a task that a step has started, as it was accepted. */
  watch(view: Readonly<TaskView>): void {
    this.#looks.set(view.id, lookOf(view));
  }

  #lookAgain(ms: number): void {
    if (this.#closed) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimeout(() => this.wake(), Math.max(0, ms), { background: true });
  }

  /** Does what is due until nothing is. @returns when something is due next, epoch milliseconds */
  async #pass(): Promise<number | undefined> {
    const { clock, due, take } = this.#options;
    for (;;) {
      await this.#lookAround();
      const { steps, at } = due(this.rows, (task) => this.#looks.get(task), clock.now());
      if (steps.length === 0 || this.#closed) return at;
      const failures: unknown[] = [];
      // One that fails does not keep the others from theirs.
      for (const step of steps) await take(step).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    }
  }

  /** Watches the tasks that decide, and no others; rows may come while they are read. */
  async #lookAround(): Promise<void> {
    for (;;) {
      const wanted = new Set(this.rows.flatMap((row) => this.#options.tasksOf(row)));
      const unread = [...wanted].filter((task) => !this.#looks.has(task));
      for (const task of unread) {
        // Watched before it is read, so that nothing is missed in between.
        this.#looks.set(task, undefined);
        const view = (await this.#options.service.get(task))?.view;
        if (view !== undefined) this.#looks.set(task, lookOf(view));
      }
      if (unread.length > 0) continue;
      for (const task of this.#looks.keys()) if (!wanted.has(task)) this.#looks.delete(task);
      return;
    }
  }
}

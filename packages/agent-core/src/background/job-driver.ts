/**
 * Runs the steps of jobs: after every change of a task that decides about one it does what is due (`due-steps.ts`), one
 * step after the other.
 *
 * Invariants
 *  BJ1  A job's task starts in the command that writes it to the job's row; so does the turn that reads its report. So
 *       neither is begun twice, and none is lost.
 *  BJ2  A report counts as read once the turn that reads it has ended as it should, which is that turn's own commit. A
 *       turn that a restart ended did not read it.
 */
import type { Clock, Timer } from "../clock/index.ts";
import { DatabaseError, isStoreGone } from "../database/index.ts";
import type { TaskView } from "../event/index.ts";
import type { Journal } from "../journal/index.ts";
import { INTERRUPTED, type StartTask, TaskError, type TaskHandle, type TaskService } from "../task/index.ts";
import type { TaskOptions } from "../turn/index.ts";
import { type BackgroundJob, type JobStatus, jobContext } from "./background-job.ts";
import { dueSteps, type JobStep, type OpenJob, RETRY_MS, type TaskLook } from "./due-steps.ts";
import type { JobStore } from "./job-store.ts";
import { reportMessage, reportOf } from "./report-message.ts";

/** Milliseconds until what the store or the engine could not take is tried again. */
const AGAIN_MS = 1_000;

/** A job as its task is started. */
export type LaunchedJob = Pick<
  BackgroundJob,
  "id" | "class" | "parent" | "call" | "subagentType" | "description" | "prompt" | "incognito"
> & {
  /** The context its task runs in. */
  readonly context: string;
  /** The model that the spawning turn was asked to run on; undefined: none in particular. */
  readonly model: string | undefined;
};

/** Starts the task of a job, unattended (R7), with `alongside` in the same command. */
export type LaunchJob = (job: LaunchedJob, alongside: NonNullable<StartTask["alongside"]>) => Promise<TaskHandle>;

/** What changed about a job, reported after its commit. */
export type JobChange = "started" | "completed" | "changed";

export interface JobDriverOptions {
  readonly store: JobStore;
  readonly journal: Journal;
  readonly service: TaskService;
  readonly clock: Clock;
  readonly launch: LaunchJob;
  /** B67 `background`, the current value. */
  readonly settings: () => { readonly auto_resume: boolean };
  /** Must not throw. */
  readonly onChange: (change: JobChange, job: BackgroundJob) => void;
  readonly log: { warn(message: string): void };
}

function lookOf({ state, failure }: Readonly<TaskView>): TaskLook {
  return { state, interrupted: state === "failed" && failure?.code === INTERRUPTED.code };
}

export class JobDriver {
  /** Jobs with something left to do, in the order they came. */
  open: OpenJob[] = [];
  readonly #options: JobDriverOptions;
  /** The state of the tasks that decide about them; undefined: deleted, or not read yet. */
  readonly #looks = new Map<string, TaskLook | undefined>();
  readonly #unlisten: () => void;
  #tail: Promise<unknown> = Promise.resolve();
  #asked = false;
  #closed = false;
  #timer: Timer | undefined;

  constructor(options: JobDriverOptions) {
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
      this.#asked = false;
      this.#timer?.cancel();
      const at = await this.#pass();
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
    this.#options.log.warn(`background jobs: ${error instanceof Error ? error.message : String(error)}; trying again`);
    this.#lookAgain(AGAIN_MS);
  }

  /** Takes a job's end; `result` is its report. Within `serially`. */
  async end(open: OpenJob, status: Exclude<JobStatus, "running">, result: string | undefined): Promise<void> {
    const at = this.#options.clock.now();
    const settles = status === "canceled" || !open.resumes;
    await this.#options.store.finish(open.id, { status, result, at, settles });
    open.status = status;
    open.finishedAt = at;
    if (settles) this.drop([open]);
    await this.notify("completed", open.id);
  }

  /** Takes a job's end from its task, which has ended. Within `serially`. */
  async finish(open: OpenJob): Promise<void> {
    const view = open.task === undefined ? undefined : (await this.#options.service.get(open.task))?.view;
    const state = view?.state;
    await this.end(open, state === "completed" || state === "canceled" ? state : "failed", reportOf(view));
  }

  /** Nothing is left to be done about these. */
  drop(jobs: readonly OpenJob[]): void {
    this.open = this.open.filter((job) => !jobs.includes(job));
  }

  /** Reports a change that is committed. */
  async notify(change: JobChange, id: string): Promise<void> {
    const job = await this.#options.store.get(id);
    if (job !== undefined) this.#options.onChange(change, job);
  }

  #lookAgain(ms: number): void {
    if (this.#closed) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimeout(() => this.wake(), Math.max(0, ms), { background: true });
  }

  /** Does what is due until nothing is. @returns when something is due next, epoch milliseconds */
  async #pass(): Promise<number | undefined> {
    const { clock, settings } = this.#options;
    for (;;) {
      await this.#lookAround();
      const look = (task: string): TaskLook | undefined => this.#looks.get(task);
      const { steps, at } = dueSteps(this.open, { look, now: clock.now(), autoResume: settings().auto_resume });
      if (steps.length === 0 || this.#closed) return at;
      for (const step of steps) await this.#take(step);
    }
  }

  /** Watches the tasks that decide, and no others. */
  async #lookAround(): Promise<void> {
    const wanted = new Set(
      this.open.flatMap(({ parent, task = parent, delivery = parent }) => [parent, task, delivery]),
    );
    for (const task of wanted) {
      if (this.#looks.has(task)) continue;
      // Watched before it is read, so that nothing is missed in between.
      this.#looks.set(task, undefined);
      const view = (await this.#options.service.get(task))?.view;
      if (view !== undefined) this.#looks.set(task, lookOf(view));
    }
    for (const task of this.#looks.keys()) if (!wanted.has(task)) this.#looks.delete(task);
  }

  #take(step: JobStep): Promise<void> {
    switch (step.kind) {
      case "finish":
        return this.finish(step.job);
      case "start":
        return this.#start(step.job);
      case "deliver":
        return this.#deliver(step.jobs);
      case "acknowledge":
        return this.#acknowledge(step.jobs);
      case "take-back":
        return this.#takeBack(step.jobs, step.counts);
      case "leave":
        return this.#leave(step.jobs, step.why);
    }
  }

  async #start(open: OpenJob): Promise<void> {
    const { store, launch, clock } = this.#options;
    const job = await store.get(open.id);
    if (job === undefined) return this.drop([open]);
    const { id, class: caller, parent, call, subagentType, description, prompt, incognito } = job;
    const work = { subagentType, description, prompt, incognito, model: await this.#modelOf(parent) };
    const launched = { ...work, id, class: caller, parent, call, context: jobContext(id) };
    const startedAt = clock.now();
    try {
      const { view } = await launch(launched, (task) => [store.started(id, task.id, startedAt)]);
      open.task = view.id;
      this.#looks.set(view.id, lookOf(view));
      // Reported before later events of the task: reading the row first would take as long as a short task.
      this.#options.onChange("started", { ...job, task: view.id, startedAt });
    } catch (error) {
      if (error instanceof DatabaseError || isOverloaded(error) || isDraining(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      return this.end(open, "failed", `The job could not be started: ${reason}`);
    }
  }

  async #modelOf(parent: string): Promise<string | undefined> {
    const stored = await this.#options.journal.optionsOf(parent);
    return stored === undefined ? undefined : (JSON.parse(stored) as TaskOptions).model;
  }

  async #deliver(jobs: readonly OpenJob[]): Promise<void> {
    const { store, service, clock } = this.#options;
    const { class: caller, session } = jobs[0]!;
    const reports = (await Promise.all(jobs.map(({ id }) => store.get(id)))).filter((job) => job !== undefined);
    const input = reportMessage(crypto.randomUUID(), reports);
    const turn: StartTask = {
      ...{ class: caller, context: session, origin: "background", input },
      options: { unattended: true },
      alongside: ({ id: task }) => reports.map(({ id }) => store.claimed(id, task)),
    };
    try {
      const { view } = await service.start(turn);
      for (const job of jobs) job.delivery = view.id;
      this.#looks.set(view.id, lookOf(view));
    } catch (error) {
      if (!isOverloaded(error)) throw error;
      // Too much waits in that session; others continue.
      for (const job of jobs) job.retryAt = clock.now() + AGAIN_MS;
      return;
    }
    for (const { id } of reports) await this.notify("changed", id);
  }

  async #acknowledge(jobs: readonly OpenJob[]): Promise<void> {
    const ids = jobs.map(({ id }) => id);
    await this.#options.store.acknowledge(ids, this.#options.clock.now());
    this.drop(jobs);
    for (const id of ids) await this.notify("changed", id);
  }

  async #takeBack(jobs: readonly OpenJob[], counts: boolean): Promise<void> {
    const ids = jobs.map(({ id }) => id);
    await this.#options.store.takeBack(ids, counts);
    for (const job of jobs) {
      job.delivery = undefined;
      if (!counts) continue;
      job.failures++;
      job.retryAt = this.#options.clock.now() + RETRY_MS * job.failures;
    }
  }

  async #leave(jobs: readonly OpenJob[], why: "off" | "failures"): Promise<void> {
    const ids = jobs.map(({ id }) => id);
    await this.#options.store.leave(ids, this.#options.clock.now());
    this.drop(jobs);
    if (why === "failures") {
      this.#options.log.warn(`the reports of ${ids.join(", ")} stay unread: every turn that was to read them failed`);
    }
  }
}

function isOverloaded(error: unknown): boolean {
  return error instanceof TaskError && error.code === "overloaded";
}

function isDraining(error: unknown): boolean {
  return error instanceof TaskError && error.code === "draining";
}

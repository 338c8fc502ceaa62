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
import type { Clock } from "../clock/index.ts";
import { DatabaseError } from "../database/index.ts";
import type { Journal } from "../journal/index.ts";
import type { StartTask, TaskHandle, TaskService } from "../task/index.ts";
import { isDraining, isOverloaded, TriggerDriver } from "../trigger/index.ts";
import type { TaskOptions } from "../turn/index.ts";
import { type BackgroundJob, type JobStatus, jobContext } from "./background-job.ts";
import { dueSteps, type JobStep, type OpenJob, RETRY_MS } from "./due-steps.ts";
import type { JobStore } from "./job-store.ts";
import { reportMessage, reportOf } from "./report-message.ts";

/** Milliseconds until reports are tried again for which their session had no room. */
const AGAIN_MS = 1_000;

/** A job as its task is started. */
export type LaunchedJob = Pick<
  BackgroundJob,
  "id" | "class" | "parent" | "call" | "subagentType" | "description" | "prompt" | "incognito" | "outside"
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

export class JobDriver {
  /** Jobs with something left to do. */
  readonly trigger: TriggerDriver<OpenJob, JobStep>;
  readonly #options: JobDriverOptions;

  constructor(options: JobDriverOptions) {
    this.#options = options;
    const { journal, service, clock, log, settings } = options;
    this.trigger = new TriggerDriver({
      ...{ name: "background jobs", journal, service, clock, log },
      tasksOf: ({ parent, task = parent, delivery = parent }) => [parent, task, delivery],
      due: (jobs, look, now) => dueSteps(jobs, { look, now, autoResume: settings().auto_resume }),
      take: (step) => this.#take(step),
    });
  }

  /** Takes a job's end; `result` is its report. Within `serially`. */
  async end(open: OpenJob, status: Exclude<JobStatus, "running">, result: string | undefined): Promise<void> {
    const at = this.#options.clock.now();
    const settles = status === "canceled" || !open.resumes;
    await this.#options.store.finish(open.id, { status, result, at, settles });
    open.status = status;
    open.finishedAt = at;
    if (settles) this.trigger.drop([open]);
    await this.notify("completed", open.id);
  }

  /** Takes a job's end from its task, which has ended. Within `serially`. */
  async finish(open: OpenJob): Promise<void> {
    const view = open.task === undefined ? undefined : (await this.#options.service.get(open.task))?.view;
    const state = view?.state;
    await this.end(open, state === "completed" || state === "canceled" ? state : "failed", reportOf(view));
  }

  /** Reports a change that is committed. */
  async notify(change: JobChange, id: string): Promise<void> {
    const job = await this.#options.store.get(id);
    if (job !== undefined) this.#options.onChange(change, job);
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
    if (job === undefined) return this.trigger.drop([open]);
    const { id, class: caller, parent, call, subagentType, description, prompt, incognito, outside } = job;
    const work = { subagentType, description, prompt, incognito, outside, model: await this.#modelOf(parent) };
    const launched = { ...work, id, class: caller, parent, call, context: jobContext(id) };
    const startedAt = clock.now();
    try {
      const { view } = await launch(launched, (task) => [store.started(id, task.id, startedAt)]);
      open.task = view.id;
      this.trigger.watch(view);
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
      this.trigger.watch(view);
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
    this.trigger.drop(jobs);
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
    this.trigger.drop(jobs);
    if (why === "failures") {
      this.#options.log.warn(`the reports of ${ids.join(", ")} stay unread: every turn that was to read them failed`);
    }
  }
}

/**
 * Background jobs (R1, R7, R12; B67 `background`): a turn starts tasks of their own, and a later turn of its session
 * reads their results.
 *
 * Invariants
 *  BJ3  A job is durable before its spawner gets its id, and is found again when the call is made again (R3).
 */
import type { EventBus } from "../bus/index.ts";
import type { Clock, Timer } from "../clock/index.ts";
import type { Database } from "../database/index.ts";
import type { SpawningCall } from "../delegation/index.ts";
import type { Journal } from "../journal/index.ts";
import { PartyCount, partyOf, shareOf } from "../share/index.ts";
import { INTERRUPTED, type OnRestart, type TaskService } from "../task/index.ts";
import { BackgroundError } from "./background-error.ts";
import { type BackgroundJob, type JobRequest, jobId } from "./background-job.ts";
import { type JobChange, JobDriver, type LaunchJob } from "./job-driver.ts";
import { type JobFilter, JobStore, type NewJob } from "./job-store.ts";
import { publishJob } from "./publish-job.ts";

/** Jobs with something left to do, in all. */
export const MAX_OPEN = 200;
/** Milliseconds between two rounds of retention. */
const SWEEP_MS = 3_600_000;
const DAY_MS = 86_400_000;

export interface BackgroundOptions {
  readonly db: Database;
  readonly journal: Journal;
  readonly service: TaskService;
  readonly clock: Clock;
  readonly launch: LaunchJob;
  /** B67 `background`, the current value. */
  readonly settings: () => { readonly auto_resume: boolean };
  /** What a restart does (B66 `checkpoint.on_restart`). */
  readonly onRestart: OnRestart;
  /** Days a job is kept after its end. Default 30. */
  readonly retentionDays?: () => number;
  /** Gets every change of a job, after its commit. */
  readonly bus: EventBus;
  readonly log: { warn(message: string): void };
}

export interface CanceledJob {
  /** Whether this ended it. */
  readonly ok: boolean;
  readonly job: BackgroundJob;
}

/** Spawns, lists, cancels and removes the background jobs of one store. */
export class BackgroundJobs {
  readonly #options: BackgroundOptions;
  readonly #store: JobStore;
  readonly #driver: JobDriver;
  #sweeping: Timer;

  constructor(options: BackgroundOptions) {
    this.#options = options;
    this.#store = new JobStore(options.db);
    const { journal, service, clock, launch, settings, bus, log } = options;
    const store = this.#store;
    const onChange = (change: JobChange, job: BackgroundJob): void => publishJob(bus, change, job);
    this.#driver = new JobDriver({ store, journal, service, clock, launch, settings, onChange, log });
    this.#sweeping = this.#sweepLater();
  }

  /**
   * Takes over the jobs of a former process. With `fail`, those that waited for a slot end as failed, as the tasks of the
   * others did; with `auto` and `resume`, all continue (A18). Nothing starts before `start`.
   * @throws DatabaseError
   */
  async recover(): Promise<void> {
    const driver = this.#driver;
    driver.trigger.rows = await this.#store.open();
    const waiting = driver.trigger.rows.filter((job) => job.status === "running" && job.task === undefined);
    const fails = this.#options.onRestart === "fail";
    if (fails) for (const job of waiting) await driver.end(job, "failed", INTERRUPTED.message);
  }

  /** Does what is due, from here on. */
  start(): void {
    this.#driver.trigger.wake();
  }

  /** Jobs with something left to do. */
  get load(): number {
    return this.#driver.trigger.rows.length;
  }

  /**
   * Spawns the jobs of one call of a task, all or none; durable when it resolves. The same call again gets the same jobs.
   * @throws BackgroundError too_many, unknown_task
   * @throws DatabaseError
   */
  spawn(of: SpawningCall, asked: readonly JobRequest[]): Promise<readonly string[]> {
    const driver = this.#driver;
    return driver.trigger.serially(async () => {
      const ids = asked.map((_, position) => jobId(of.call, position));
      if (ids[0] === undefined || (await this.#store.exists(ids[0]))) return ids;
      const view = (await this.#options.service.get(of.task))?.view;
      if (view === undefined) throw new BackgroundError("unknown_task", `there is no task ${of.task}`);
      const party = partyOf(view.class);
      const open = new PartyCount();
      for (const job of driver.trigger.rows) open[partyOf(job.class)]++;
      if (!open.free(party, MAX_OPEN, { more: ids.length })) {
        const most = shareOf(party, MAX_OPEN);
        throw new BackgroundError(
          "too_many",
          `${open[party]} background jobs are open already; at most ${most} may be`,
        );
      }
      const incognito = await this.#isIncognito(of.task);
      const { class: caller, context: session, origin } = view;
      const resumes = !incognito && origin !== "background";
      const spawner = {
        class: caller,
        session,
        parent: of.task,
        call: of.call,
        incognito,
        outside: of.outside,
        resumes,
      };
      const createdAt = this.#options.clock.now();
      const rows = asked.map(
        (job, position): NewJob => ({ ...job, ...spawner, id: ids[position]!, position, createdAt }),
      );
      await this.#store.add(rows);
      for (const id of ids) {
        const none = { task: undefined, finishedAt: undefined, delivery: undefined, failures: 0, retryAt: 0 };
        driver.trigger.rows.push({ id, class: caller, session, parent: of.task, resumes, status: "running", ...none });
        await driver.notify("changed", id);
      }
      driver.trigger.wake();
      return ids;
    });
  }

  /** A job that was not deleted. @throws DatabaseError */
  get(id: string): Promise<BackgroundJob | undefined> {
    return this.#store.get(id);
  }

  /** Jobs, newest first, without deleted and cleared ones. @throws DatabaseError */
  list(filter: JobFilter): Promise<readonly BackgroundJob[]> {
    return this.#store.list(filter);
  }

  /** Ends a job without a report to its session. Undefined: there is no such job. @throws DatabaseError */
  cancel(id: string): Promise<CanceledJob | undefined> {
    return this.#driver.trigger.serially(async () => {
      const job = await this.#store.get(id);
      if (job === undefined) return undefined;
      if (!(await this.#end(id))) return { ok: false, job };
      this.#driver.trigger.wake();
      const now = (await this.#store.get(id)) ?? job;
      return { ok: now.status === "canceled", job: now };
    });
  }

  /**
   * Cancels a job for a turn of the session it belongs to; others' jobs are unknown to it (A16).
   * @returns the result as a sentence for the model
   * @throws DatabaseError
   */
  async stop(of: { readonly task: string }, id: string): Promise<string> {
    const [view, job] = await Promise.all([this.#options.service.get(of.task), this.#store.get(id)]);
    const isOwn = job?.class === view?.view.class && job?.session === view?.view.context;
    if (job === undefined || !isOwn) return `There is no background job ${JSON.stringify(id)} of this session.`;
    const canceled = await this.cancel(id);
    if (canceled?.ok === true) return `Background job ${id} is canceled.`;
    return `Background job ${id} is ${canceled?.job.status ?? job.status} already.`;
  }

  /**
   * Deletes a job that has ended, whether its report was read or not. False: there is none.
   * @throws BackgroundError still_running
   * @throws DatabaseError
   */
  delete(id: string): Promise<boolean> {
    return this.#driver.trigger.serially(() => this.#delete(id));
  }

  /** Takes jobs that have ended out of the list, of one session or all. Resolves with how many. @throws DatabaseError */
  clear(session?: string): Promise<number> {
    return this.#driver.trigger.serially(() => this.#store.dismiss(session, this.#options.clock.now()));
  }

  /**
   * Removes the jobs of a session that is being deleted (O8): they are canceled, and their rows and reports removed.
   * @throws DatabaseError
   */
  forget(of: { readonly class: string; readonly session: string }): Promise<void> {
    const driver = this.#driver;
    // In one go, so that no report is read in between.
    return driver.trigger.serially(async () => {
      const left = driver.trigger.rows.filter((job) => job.class === of.class && job.session === of.session);
      for (const { id } of left) await this.#end(id);
      await this.#store.forget(of);
      driver.trigger.drop(left);
      driver.trigger.wake();
    });
  }

  /** Resolves once everything is done that was due when it was called. */
  idle(): Promise<void> {
    return this.#driver.trigger.idle();
  }

  /** Starts nothing from now on; resolves when nothing runs. What is spawned later is the next process's. */
  async close(): Promise<void> {
    this.#sweeping.cancel();
    await this.#driver.trigger.stop();
  }

  /** Cancels a job; false: it has ended. */
  async #end(id: string): Promise<boolean> {
    const open = this.#driver.trigger.rows.find((one) => one.id === id);
    if (open === undefined || open.status !== "running") return false;
    if (open.task === undefined) {
      await this.#driver.end(open, "canceled", undefined);
    } else {
      await this.#options.service.cancel(open.task);
      await this.#driver.finish(open);
    }
    return true;
  }

  async #delete(id: string): Promise<boolean> {
    const job = await this.#store.get(id);
    if (job === undefined) return false;
    if (!(await this.#store.drop(id, this.#options.clock.now()))) {
      throw new BackgroundError("still_running", "the job is still running");
    }
    this.#driver.trigger.drop(this.#driver.trigger.rows.filter((one) => one.id === id));
    publishJob(this.#options.bus, "changed", job);
    return true;
  }

  async #isIncognito(task: string): Promise<boolean> {
    const stored = await this.#options.journal.optionsOf(task);
    return stored !== undefined && (JSON.parse(stored) as { incognito?: unknown }).incognito === true;
  }

  #sweepLater(): Timer {
    const { clock, retentionDays = () => 30 } = this.#options;
    const sweep = (): void => {
      this.#sweeping = this.#sweepLater();
      this.#store
        .sweep(clock.now() - retentionDays() * DAY_MS)
        .catch((error: unknown) => this.#driver.trigger.failed(error));
    };
    return clock.setTimeout(sweep, SWEEP_MS, { background: true });
  }
}

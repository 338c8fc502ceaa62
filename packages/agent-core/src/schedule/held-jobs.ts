import { parseSchedule, type Schedule, type ScheduleRequest, Zones } from "../cron/index.ts";
import { RowLocks } from "../trigger/index.ts";
import type { WorkingRow } from "../working-state/index.ts";
import { JobsOn } from "./jobs-on.ts";
import { dueOf } from "./plan-slots.ts";
import type { ScheduledJob, SlotRun } from "./scheduled-job.ts";

/** A job in memory, with what follows from its row. */
export interface HeldJob {
  job: ScheduledJob;
  readonly schedule: Schedule;
  /** The first slot that is not in the ledger; undefined: there is none, or the job is off. */
  next: number | undefined;
  /** The newest attempt that began. */
  last: SlotRun | undefined;
  /** As turns are shown it; of another `next` or job it is not used. */
  row?: WorkingRow & { readonly of: ScheduledJob; readonly next: number | undefined };
}

/** The jobs of a store. All of them are in memory: there are at most 1,000. */
export class HeldJobs {
  readonly #zones = new Zones();
  readonly #jobs = new Map<string, HeldJob>();
  readonly #on = new JobsOn<HeldJob>();
  readonly #locks = new RowLocks();

  get size(): number {
    return this.#jobs.size;
  }

  get(id: string): HeldJob | undefined {
    return this.#jobs.get(id);
  }

  all(): readonly HeldJob[] {
    return [...this.#jobs.values()];
  }

  /** Those that are on. */
  get on(): Pick<JobsOn<HeldJob>, "size" | "newest"> {
    return this.#on;
  }

  /** To be called after each change of a job. */
  set(held: HeldJob): void {
    this.#jobs.set(held.job.id, held);
    this.#on.put(held);
  }

  delete(id: string): void {
    const held = this.#jobs.get(id);
    if (held === undefined) return;
    this.#jobs.delete(id);
    this.#on.delete(held);
  }

  /** When the next slot of all is due; undefined: none is. Epoch milliseconds. */
  get nextDueAt(): number | undefined {
    let first: number | undefined;
    for (const held of this.#jobs.values()) {
      if (held.next === undefined) continue;
      const due = dueAt(held, held.next);
      if (first === undefined || due < first) first = due;
    }
    return first;
  }

  /** Reads a schedule. `now` is epoch milliseconds: a datetime before it has passed. @throws ScheduleError */
  parse({ schedule, timezone, now }: ScheduleRequest): Schedule {
    return parseSchedule(this.#zones, { schedule, timezone, now });
  }

  /** Changes of one job run one after another. */
  lock<T>(id: string, change: () => Promise<T>): Promise<T> {
    return this.#locks.run(id, change);
  }

  /** Resolves once no change runs. */
  idle(): Promise<void> {
    return this.#locks.idle();
  }
}

/** When a slot of a job is run. */
export function dueAt({ job, schedule }: Pick<HeldJob, "job" | "schedule">, slot: number): number {
  return dueOf(job.id, slot, schedule, job);
}

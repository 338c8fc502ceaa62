import type { EventBus } from "../bus/index.ts";
import type { OpenRun } from "./due-runs.ts";
import type { HeldJob } from "./held-jobs.ts";
import type { SlotRun } from "./scheduled-job.ts";

const PROMPT_CHARS = 200;
const iso = (at: number): string => new Date(at).toISOString();

/** What changes about a job or a slot; reported after its commit. */
export interface ScheduleEvents {
  fired(held: HeldJob, run: SlotRun): void;
  finished(run: SlotRun): void;
  overdue(run: OpenRun): void;
  changed(id: string, action: string): void;
}

/** What a slot that is not run comes to; reported after its commit. */
export interface FiringEvents {
  skipped(run: SlotRun): void;
  missed(run: SlotRun): void;
}

/** Publishes what happens to jobs and slots, after the commits (G27). */
export function scheduleEvents(
  bus: EventBus,
  redact: (text: string) => string,
  onListed: () => void,
): ScheduleEvents & FiringEvents {
  const about = ({ job, slot, attempt }: Pick<SlotRun, "job" | "slot" | "attempt">) => ({
    ...{ job_id: job, slot: iso(slot), attempt },
  });
  return {
    fired({ job }, run) {
      // Redacted whole: a cut may split a secret.
      const prompt = redact(job.prompt).slice(0, PROMPT_CHARS).toWellFormed();
      bus.publish("scheduler.fired", { ...about(run), schedule: job.schedule, prompt, task_id: run.task ?? null });
    },
    finished(run) {
      const { state, reason = null, task = null } = run;
      bus.publish("scheduler.finished", { ...about(run), state, reason, task_id: task });
      onListed();
    },
    skipped(run) {
      bus.publish("scheduler.skipped", { ...about(run), reason: run.reason ?? null });
    },
    missed({ job, slot, upto = slot, missed = 1, reason = null }) {
      bus.publish("scheduler.missed", { job_id: job, slot: iso(slot), upto: iso(upto), missed, reason });
    },
    overdue(run) {
      bus.publish("scheduler.overdue", { ...about(run), task_id: run.task ?? null });
    },
    changed(id, action) {
      bus.publish("scheduler.changed", { job_id: id, action });
      onListed();
    },
  };
}

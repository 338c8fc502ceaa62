import { isTerminalState, type TaskState } from "../event/index.ts";
import type { DueSteps, TaskLook, TriggerDriver } from "../trigger/index.ts";
import type { RunEnding } from "./attempt-end.ts";
import { JOB_LIMITS, type RunNotes, type SlotRun } from "./scheduled-job.ts";

/** A row of the ledger that has not ended. */
export interface OpenRun {
  readonly job: string;
  readonly slot: number;
  readonly attempt: number;
  /** From when on it may begin; epoch milliseconds. */
  readonly dueAt: number;
  /** Other runs of its job may be open beside it. */
  readonly beside: boolean;
  startedAt: number | undefined;
  /** Undefined: it has not begun, or is sent elsewhere. */
  task: string | undefined;
  /** It is sent to another service, which runs it. */
  readonly remote: boolean;
  readonly notes: RunNotes | undefined;
  /** What ends it with its turn; undefined where it has none, or one of a former process. */
  ending?: Pick<RunEnding, "endedAt"> | undefined;
  /** It runs for longer than a run is expected to. */
  overdue: boolean;
}

/** As a row of the ledger has it, which has not ended. `beside`: other runs of its job may be open beside it. */
export function openRunOf({ job, slot, attempt, dueAt, startedAt, task, notes }: SlotRun, beside: boolean): OpenRun {
  const remote = startedAt !== undefined && task === undefined;
  return { job, slot, attempt, dueAt, beside, startedAt, task, remote, notes, overdue: false };
}

export type RunStep =
  | { readonly kind: "start"; readonly run: OpenRun }
  /** `state`: its task's; undefined: that was deleted. */
  | { readonly kind: "end"; readonly run: OpenRun; readonly state: TaskState | undefined }
  | { readonly kind: "overdue"; readonly run: OpenRun };

/** What is due of open runs. `overdueMs`: how long a run may take until it is said to be overdue. */
export function dueRuns(
  runs: readonly OpenRun[],
  look: (task: string) => TaskLook | undefined,
  { now, overdueMs }: { readonly now: number; readonly overdueMs: number },
): DueSteps<RunStep> {
  const steps: RunStep[] = [];
  let at: number | undefined;
  const later = (time: number): void => {
    at = Math.min(at ?? time, time);
  };
  const begun = new Map<string, number>();
  for (const { job, startedAt } of runs) if (startedAt !== undefined) begun.set(job, (begun.get(job) ?? 0) + 1);
  for (const run of runs) {
    if (run.startedAt === undefined) {
      const open = begun.get(run.job) ?? 0;
      if (run.dueAt > now) later(run.dueAt);
      else if (open < (run.beside ? JOB_LIMITS.openRuns : 1)) {
        steps.push({ kind: "start", run });
        begun.set(run.job, open + 1);
      }
      continue;
    }
    if (run.task === undefined) continue;
    const seen = look(run.task);
    if (seen === undefined || isTerminalState(seen.state)) steps.push({ kind: "end", run, state: seen?.state });
    else if (!run.overdue && run.startedAt + overdueMs <= now) steps.push({ kind: "overdue", run });
    else if (!run.overdue) later(run.startedAt + overdueMs);
  }
  return { steps, at };
}

const NONE: readonly OpenRun[] = [];

/** The rows of a driver, found by their job: each slot asks for those of its own. */
export class OpenRuns {
  readonly #trigger: Pick<TriggerDriver<OpenRun, never>, "rows" | "drop">;
  readonly #of = new Map<string, readonly OpenRun[]>();

  constructor(trigger: Pick<TriggerDriver<OpenRun, never>, "rows" | "drop">) {
    this.#trigger = trigger;
  }

  of(job: string): readonly OpenRun[] {
    return this.#of.get(job) ?? NONE;
  }

  add(run: OpenRun): OpenRun {
    this.#trigger.rows.push(run);
    this.#of.set(run.job, [...this.of(run.job), run]);
    return run;
  }

  drop(runs: readonly OpenRun[]): void {
    this.#trigger.drop(runs);
    for (const run of runs) {
      const left = this.of(run.job).filter((one) => one !== run);
      if (left.length === 0) this.#of.delete(run.job);
      else this.#of.set(run.job, left);
    }
  }
}

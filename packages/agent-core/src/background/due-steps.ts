/**
 * Decides the next steps of open jobs from their rows and the states of their tasks. It runs after every change and after
 * a restart alike, so a job has no other state machine.
 *
 * Invariants
 *  BG1  At most three jobs run at a time; one that is parked for a person releases its slot. The rest waits, in the order
 *      they came.
 *  BG2  A job's end is taken from its task, once.
 *  BG3  A report is read by at most one turn at a time, and by none after a turn that read it has ended as it should.
 *  BG4  Reports of jobs that one task spawned are read by one turn: when that task is done spawning and all of them have
 *      ended, or 15 minutes after the first.
 */

import { isTerminalState } from "../event/index.ts";
import { PartyCount, partyOf } from "../share/index.ts";
import type { DueSteps, TaskLook } from "../trigger/index.ts";
import type { JobStatus } from "./background-job.ts";

/** Jobs that run at a time. */
export const CONCURRENCY = 3;
/** Milliseconds after which reports wait no more for the other jobs of their task. */
export const STRAGGLER_MS = 900_000;
/** Turns that were to read a report and failed, until it is left unread. */
export const MAX_FAILURES = 3;
/** Milliseconds until a report is tried again, times the failures so far. */
export const RETRY_MS = 30_000;
/** Reports that one turn reads. */
export const MAX_REPORTS = 20;

/** What decides about a job. */
export interface OpenJob {
  readonly id: string;
  readonly class: string;
  readonly session: string;
  readonly parent: string;
  readonly resumes: boolean;
  status: JobStatus;
  task: string | undefined;
  finishedAt: number | undefined;
  delivery: string | undefined;
  failures: number;
  /** Not tried before this time. */
  retryAt: number;
}

/** One thing to do. */
export type JobStep =
  /** Its task has ended, or was deleted. */
  | { readonly kind: "finish"; readonly job: OpenJob }
  | { readonly kind: "start"; readonly job: OpenJob }
  /** A turn in their session reads their reports. */
  | { readonly kind: "deliver"; readonly jobs: readonly OpenJob[] }
  /** The turn that read them has ended as it should, or a person ended it. */
  | { readonly kind: "acknowledge"; readonly jobs: readonly OpenJob[] }
  /** The turn that was to read them failed; `counts`: by a fault that may repeat itself. */
  | { readonly kind: "take-back"; readonly jobs: readonly OpenJob[]; readonly counts: boolean }
  /** No turn will read them. */
  | { readonly kind: "leave"; readonly jobs: readonly OpenJob[]; readonly why: "off" | "failures" };

/** What decisions are made on. `look` returns undefined for a task that was deleted. */
export interface Surroundings {
  readonly look: (task: string) => TaskLook | undefined;
  readonly now: number;
  /** B67 `background.auto_resume`, the current value. */
  readonly autoResume: boolean;
}

function ended(look: TaskLook | undefined): boolean {
  return look === undefined || isTerminalState(look.state);
}

function aboutWork(jobs: readonly OpenJob[], { look }: Surroundings): JobStep[] {
  const steps: JobStep[] = [];
  const running = jobs.filter((job) => job.status === "running");
  const busy = new PartyCount();
  for (const job of running) {
    if (job.task === undefined) continue;
    const task = look(job.task);
    if (ended(task)) steps.push({ kind: "finish", job });
    else if (task?.state !== "parked") busy[partyOf(job.class)]++;
  }
  const waiting = running.filter((job) => job.task === undefined);
  for (const party of ["operator", "peers"] as const) {
    for (const job of waiting) {
      if (partyOf(job.class) !== party || !busy.free(party, CONCURRENCY)) continue;
      busy[party]++;
      steps.push({ kind: "start", job });
    }
  }
  return steps;
}

function aboutDelivery(delivery: string, jobs: readonly OpenJob[], { look }: Surroundings): JobStep[] {
  const turn = look(delivery);
  if (!ended(turn)) return [];
  if (turn?.state !== "failed") return [{ kind: "acknowledge", jobs }];
  if (turn.interrupted) return [{ kind: "take-back", jobs, counts: false }];
  const again = jobs.filter((job) => job.failures + 1 < MAX_FAILURES);
  const given = jobs.filter((job) => !again.includes(job));
  return [
    ...(again.length > 0 ? [{ kind: "take-back", jobs: again, counts: true } as const] : []),
    ...(given.length > 0 ? [{ kind: "leave", jobs: given, why: "failures" } as const] : []),
  ];
}

/** When the reports of one task's jobs may be read; undefined: not before something happens. */
function readableAt(finished: readonly OpenJob[], all: readonly OpenJob[], { look }: Surroundings): number | undefined {
  const parent = look(finished[0]!.parent)?.state;
  if (parent === "queued" || parent === "running") return undefined;
  const waits = all.some((job) => job.status === "running" && job.parent === finished[0]!.parent);
  const first = Math.min(...finished.map((job) => job.finishedAt ?? 0));
  return Math.max(waits ? first + STRAGGLER_MS : 0, ...finished.map((job) => job.retryAt));
}

/** What is due, `jobs` in the order they came. To be called again once it is done: more may be due then. */
export function dueSteps(jobs: readonly OpenJob[], around: Surroundings): DueSteps<JobStep> {
  const steps = aboutWork(jobs, around);
  let at: number | undefined;
  const reports = jobs.filter((job) => job.status !== "running");
  const claimed = reports.filter((job) => job.delivery !== undefined);
  for (const [delivery, read] of Map.groupBy(claimed, (job) => job.delivery!)) {
    steps.push(...aboutDelivery(delivery, read, around));
  }
  // What ends now may be read along, so it is taken first; then this is asked again.
  if (steps.length > 0) return { steps, at: undefined };
  const unread = reports.filter((job) => job.delivery === undefined);
  for (const finished of Map.groupBy(unread, (job) => job.parent).values()) {
    if (!around.autoResume) {
      steps.push({ kind: "leave", jobs: finished, why: "off" });
      continue;
    }
    const from = readableAt(finished, jobs, around);
    if (from === undefined) continue;
    if (from <= around.now) steps.push({ kind: "deliver", jobs: finished.slice(0, MAX_REPORTS) });
    else at = Math.min(at ?? from, from);
  }
  return { steps, at };
}

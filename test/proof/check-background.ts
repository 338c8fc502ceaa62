/** Background jobs in the store after the last process ended: none lost, each report read by one turn (R12). */
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "./ledger.ts";
import type { OnRestart } from "./service-life.ts";

interface JobRow {
  readonly id: string;
  readonly parent: string;
  readonly call: string;
  readonly resumes: number;
  readonly status: string;
  readonly task: string | null;
  readonly delivery: string | null;
  readonly delivered_at: number | null;
  readonly settled_at: number | null;
}

interface TaskRow {
  readonly id: string;
  readonly context: string;
  readonly state: string;
  readonly accepted: string;
}

/** Sums over the jobs, for the report. */
export interface BackgroundFigures {
  readonly jobs: number;
  /** Turns that read reports, those that a restart ended among them. */
  readonly deliveries: number;
}

/** What a call that spawned jobs was answered. */
function spawnedBy(result: string): readonly string[] {
  return result.match(/bg-[0-9a-f]{12}/g) ?? [];
}

function checkJob(job: JobRow, tasks: readonly TaskRow[], readers: readonly TaskRow[], ledger: Ledger): void {
  const blame = (what: string): void => ledger.blame(`background job ${job.id} (${job.status}) ${what}`);
  if (job.status === "running" || job.settled_at === null) blame("has something left to do although nothing runs");
  const own = tasks.filter(({ context }) => context === `background:${job.id}`);
  if (own.length > 1) blame(`was started ${own.length} times`);
  if (own[0]?.id !== (job.task ?? undefined)) blame(`names ${job.task} as its task, and has ${own[0]?.id}`);
  if (own[0] !== undefined && own[0].state !== job.status) blame(`has a task that is ${own[0].state}`);
  const read = readers.filter(({ state }) => state === "completed");
  const due = job.resumes === 1 && ["completed", "failed"].includes(job.status);
  if (!due && readers.length > 0) blame("is reported to its session");
  if (!due) return;
  if (read.length !== 1) blame(`has a report that ${read.length} turns have read to their end`);
  if (job.delivered_at === null || job.delivery !== read[0]?.id)
    blame(`names ${job.delivery} as the turn that read it`);
}

/** Checks every job. `onRestart`: unless it is `fail`, no turn that reads is ever begun again. */
export function checkBackground(file: string, onRestart: OnRestart, ledger: Ledger): BackgroundFigures {
  const db = new DatabaseSync(file);
  try {
    const rows = <T>(sql: string): T[] => db.prepare(sql).all() as T[];
    const jobs = rows<JobRow>("SELECT * FROM background_job");
    const tasks = rows<TaskRow>(
      "SELECT id, context, state, body AS accepted FROM task JOIN event ON event.task = task.id AND event.seq = 1",
    );
    const deliveries = tasks.filter(({ accepted }) => accepted.includes('"background_jobs"'));
    const known = new Set(jobs.map(({ id }) => id));
    const calls = rows<{ id: string; result: string }>(
      "SELECT id, result FROM call WHERE name IN ('task', 'task_batch') AND outcome = 'ok'",
    );
    for (const { id, result } of calls) {
      for (const job of spawnedBy(result)) {
        if (!known.has(job)) ledger.blame(`EN9: call ${id} reported background job ${job}, which is not in the store`);
      }
    }
    for (const job of jobs) {
      const readers = deliveries.filter(({ accepted }) => accepted.includes(job.id));
      checkJob(job, tasks, readers, ledger);
      if (onRestart !== "fail" && readers.length > 1) {
        ledger.blame(`background job ${job.id} is reported ${readers.length} times`);
      }
    }
    return { jobs: jobs.length, deliveries: deliveries.length };
  } finally {
    db.close();
  }
}

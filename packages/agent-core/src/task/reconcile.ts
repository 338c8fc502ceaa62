/**
 * What happens to tasks that a former process left open (ruling A18): under the lease, before the port opens, every one
 * of them gets a stated end or an owner (T1).
 */
import type { Journal, TaskRecord } from "../journal/index.ts";
import { contextKey, type TurnRunner } from "./turn-runner.ts";

/** What a restart does to open tasks (`checkpoint.on_restart`). */
export type OnRestart = "fail" | "resume";

/** What reconciling came to. */
export interface Reconciled {
  readonly failed: number;
  readonly resumed: number;
  readonly parked: number;
}

/** Code and message of a task that a restart ended. */
export const INTERRUPTED = Object.freeze({
  code: "interrupted",
  message: "The task was interrupted by a server restart.",
});

/** Gives every open task an end or an owner. Nothing runs before it returns. */
export async function reconcile(journal: Journal, runner: TurnRunner, onRestart: OnRestart): Promise<Reconciled> {
  let failed = 0;
  let resumed = 0;
  let parked = 0;
  for (const id of await journal.openTaskIds()) {
    const record = await journal.get(id);
    if (record === undefined) continue;
    if (onRestart === "fail") {
      await runner.end(record, { kind: "failed", failure: INTERRUPTED });
      failed++;
    } else if (record.view.state === "parked") {
      parked++;
    } else {
      await takeOver(record, runner);
      resumed++;
    }
  }
  return { failed, resumed, parked };
}

async function takeOver(record: TaskRecord, runner: TurnRunner): Promise<void> {
  const wasRunning = record.view.state === "running";
  await runner.enqueue(record, contextKey(record.view), Promise.resolve(), wasRunning);
}

/**
 * What happens to tasks that a former process left open (ruling A18): under the lease, before the port opens, every one
 * of them gets a stated end or an owner (T1).
 */
import type { Journal, TaskRecord } from "../journal/index.ts";
import { placeOf, type TurnRunner } from "./turn-runner.ts";

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

/** What is to be done with the tasks that go on, once everything is decided. */
export interface ReconcilePlan extends Reconciled {
  /** Puts the tasks that go on in line. */
  begin(): Promise<void>;
}

/** Gives every open task an end, or an owner in the plan. Nothing runs before `begin`. */
export async function reconcile(journal: Journal, runner: TurnRunner, onRestart: OnRestart): Promise<ReconcilePlan> {
  let failed = 0;
  const goOn: TaskRecord[] = [];
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
      record.pinned = true;
      goOn.push(record);
    }
  }
  const begin = async (): Promise<void> => {
    for (const record of goOn) {
      // Its session was being deleted.
      if (record.ended) journal.release(record);
      else await takeOver(record, runner);
    }
  };
  return { failed, resumed: goOn.length, parked, begin };
}

async function takeOver(record: TaskRecord, runner: TurnRunner): Promise<void> {
  const wasRunning = record.view.state === "running";
  await runner.enqueue(record, placeOf(record.view), Promise.resolve(), wasRunning);
}

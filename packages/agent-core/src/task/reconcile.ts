/**
 * What happens to tasks that a former process left open (ruling A18): under the lease, before the port opens, every one
 * of them gets a stated end or an owner (T1).
 */
import { inParallel } from "../collection/index.ts";
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

/** Tasks that are ended at a time: their commits reach the disk together, and thousands would take a minute singly. */
const ENDED_AT_A_TIME = 64;

/**
 * Fails every open task, those that wait for a person included. Resolves with how many there were. `onError`: told of one
 * that could not be ended, which the next start ends then.
 * @throws DatabaseError without `onError`
 */
export async function endOpenTasks(
  journal: Journal,
  runner: TurnRunner,
  onError?: (id: string, error: unknown) => void,
): Promise<number> {
  const ended = await inParallel(await journal.openTaskIds(), ENDED_AT_A_TIME, async (id): Promise<number> => {
    const record = await journal.get(id);
    if (record === undefined) return 0;
    const ending = runner.end(record, { kind: "failed", failure: INTERRUPTED }, { once: true });
    await (onError === undefined ? ending : ending.catch((error: unknown) => onError(id, error)));
    return 1;
  });
  return ended.reduce((sum, one) => sum + one, 0);
}

/** Gives every open task an end, or an owner in the plan. Nothing runs before `begin`. */
export async function reconcile(journal: Journal, runner: TurnRunner, onRestart: OnRestart): Promise<ReconcilePlan> {
  if (onRestart === "fail") {
    const failed = await endOpenTasks(journal, runner);
    return { failed, resumed: 0, parked: 0, begin: async () => {} };
  }
  const goOn: TaskRecord[] = [];
  let parked = 0;
  for (const id of await journal.openTaskIds()) {
    const record = await journal.get(id);
    if (record === undefined) continue;
    if (record.view.state === "parked") {
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
  return { failed: 0, resumed: goOn.length, parked, begin };
}

async function takeOver(record: TaskRecord, runner: TurnRunner): Promise<void> {
  const wasRunning = record.view.state === "running";
  await runner.enqueue(record, placeOf(record.view), Promise.resolve(), wasRunning);
}

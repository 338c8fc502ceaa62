import type { Task } from "../task/index.ts";
import { isInterrupted, isTerminal } from "../task/index.ts";
import type { NumberedFrame, TaskReading, TaskSnapshot } from "./executor.ts";

/** True for a task at rest: terminal, or waiting for somebody. */
export function isSettled({ status }: Task): boolean {
  return isTerminal(status.state) || isInterrupted(status.state);
}

/**
 * The frames after a snapshot, with the final frame of a task that is at rest already. The Task alone does not end a
 * stream of 0.3, so rulings A7 and document 1's `final` want that frame again: the recorded one where the executor
 * still hands it out, else one made from the Task.
 */
export function framesToTheEnd(
  reading: TaskReading,
  from: TaskSnapshot,
  signal: AbortSignal,
): AsyncIterable<NumberedFrame> {
  const atRest = from.seq >= reading.now.seq && isSettled(from.task);
  return atRest ? withFinalFrame(reading, from, signal) : reading.follow(from.seq, signal);
}

async function* withFinalFrame(reading: TaskReading, { task, seq }: TaskSnapshot, signal: AbortSignal) {
  let seen = false;
  for await (const item of reading.follow(seq - 1, signal)) {
    seen = true;
    yield item;
  }
  if (seen) return;
  const { id: taskId, contextId, status } = task;
  yield { seq, frame: { statusUpdate: { taskId, contextId, status } } };
}

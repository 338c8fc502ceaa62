import type { Task } from "../../task/index.ts";
import { isInterrupted, isTerminal } from "../../task/index.ts";
import type { NumberedFrame, TaskReading } from "../executor.ts";

/** True for a task that is terminal or waits for input. */
export function isSettled({ status }: Task): boolean {
  return isTerminal(status.state) || isInterrupted(status.state);
}

/**
 * The frames after the Task as of event `after`, with the final frame of a task that is at rest already. The Task alone
 * does not end a stream of 0.3, so A7 and `final` (B18) want that frame again: the recorded one where the
 * executor still hands it out, else one made from the Task.
 */
export function framesToTheEnd(reading: TaskReading, after: number, signal: AbortSignal): AsyncIterable<NumberedFrame> {
  const { seq, task } = reading.now;
  if (after < seq || !isSettled(task)) return reading.follow(after, signal);
  const { id: taskId, contextId, status } = task;
  return withFinalFrame(reading.follow(seq - 1, signal), {
    seq,
    frame: { statusUpdate: { taskId, contextId, status } },
  });
}

async function* withFinalFrame(recorded: AsyncIterable<NumberedFrame>, final: NumberedFrame) {
  let seen = false;
  for await (const item of recorded) {
    seen = true;
    yield item;
  }
  if (!seen) yield final;
}

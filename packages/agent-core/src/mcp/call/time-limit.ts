import type { Clock } from "../../clock/index.ts";
import { ConnectionError } from "../connection/index.ts";

/** The time that a call has. */
export interface TimeLimit {
  /** Aborted once the time is over, or the call's task ends. */
  readonly signal: AbortSignal;
  /** Aborted once the time is over. */
  readonly isOver: AbortSignal;
  end(): void;
}

/** Begins it; null: as long as the task of the call. */
export function timeLimit(clock: Clock, ms: number | null, taskSignal: AbortSignal): TimeLimit {
  // Each call has one: `AbortSignal.any` costs several times what a listener does.
  const [call, time] = [new AbortController(), new AbortController()];
  const endWithTask = (): void => call.abort(taskSignal.reason);
  const endLate = (most: number): void => {
    const late = new ConnectionError("timeout", `it did not answer within ${most / 1_000} s`);
    time.abort(late);
    call.abort(late);
  };
  if (taskSignal.aborted) endWithTask();
  else taskSignal.addEventListener("abort", endWithTask, { once: true });
  const timer = ms === null ? undefined : clock.setTimeout(() => endLate(ms), ms);
  return {
    signal: call.signal,
    isOver: time.signal,
    end() {
      timer?.cancel();
      taskSignal.removeEventListener("abort", endWithTask);
    },
  };
}

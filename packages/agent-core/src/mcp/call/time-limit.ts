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
  const limit = new AbortController();
  const endLate = (most: number): void =>
    limit.abort(new ConnectionError("timeout", `it did not answer within ${most / 1_000} s`));
  const timer = ms === null ? undefined : clock.setTimeout(() => endLate(ms), ms);
  return {
    signal: AbortSignal.any([taskSignal, limit.signal]),
    isOver: limit.signal,
    end: () => timer?.cancel(),
  };
}

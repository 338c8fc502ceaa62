import type { Timers } from "../stream/index.ts";
import { ClientError } from "./client-error.ts";

export interface RetryPolicy {
  /** Most attempts in a row without progress, after the first. */
  readonly maxReconnects: number;
  readonly timers: Timers;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/**
 * Waits before attempt number `attempt` (1 is the first repetition): doubling from a quarter of a second, or what the
 * agent asked for, ten seconds at most. Rethrows `error` when there is no point or no attempt left; rejects with the
 * signal's reason when it aborts.
 */
export async function beforeRetry(
  error: unknown,
  attempt: number,
  { maxReconnects, timers }: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!(error instanceof ClientError) || !error.retryable || attempt > maxReconnects) throw error;
  const asked = error.retryAfterSeconds === undefined ? 0 : error.retryAfterSeconds * 1000;
  const wait = Math.min(LONGEST_WAIT_MS, Math.max(asked, FIRST_WAIT_MS * 2 ** (attempt - 1)));
  await new Promise<void>((resolve, reject) => {
    const stop = timers.after(wait, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    function abort(): void {
      stop();
      reject(signal?.reason as Error);
    }
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
  });
}

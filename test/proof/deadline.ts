/** Milliseconds between two looks at the clock. */
const LOOK_MS = 250;

/** A time limit for a promise. */
export interface Deadline {
  /** Aborted once the time is up. */
  readonly signal: AbortSignal;
  /** Forgets it; to be called in any case. */
  clear(): void;
}

/**
 * Sets a limit that counts only time in which this process runs: on a machine that stood still for a minute (a paused
 * virtual machine) the other side had no more time than this one.
 */
export function setDeadline(ms: number): Deadline {
  const controller = new AbortController();
  let looks = Math.ceil(ms / LOOK_MS);
  const timer = setInterval(() => {
    looks--;
    if (looks > 0) return;
    clearInterval(timer);
    controller.abort(new DOMException(`${ms} ms are over`, "TimeoutError"));
  }, LOOK_MS);
  return { signal: controller.signal, clear: () => clearInterval(timer) };
}

/**
 * Time as a port (architecture rule 9): whoever waits or reads the time takes a `Clock`, so tests can turn it by hand
 * (`ManualClock` in the testing entry).
 */

export interface Timer {
  /** Stops it; does nothing once it has run or was cancelled. */
  cancel(): void;
}

/** Where the time comes from. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Runs `run` once after `ms` milliseconds. A `background` timer does not keep the process alive.
   */
  setTimeout(run: () => void, ms: number, options?: { readonly background?: boolean }): Timer;
}

/** The machine's own clock. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    setTimeout(run, ms, options) {
      const timer = setTimeout(run, ms);
      if (options?.background === true) timer.unref();
      return { cancel: () => clearTimeout(timer) };
    },
  };
}

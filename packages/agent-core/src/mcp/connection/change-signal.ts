import type { Clock } from "../../clock/index.ts";

/** Lets others wait until something changes. */
export class ChangeSignal {
  readonly #clock: Clock;
  #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something changed: whoever waits goes on. */
  notify(): void {
    for (const end of [...this.#waiting]) end();
  }

  /** Resolves at the next change, after `ms`, or once the signal is aborted. */
  next(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        signal.removeEventListener("abort", end);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = this.#clock.setTimeout(end, ms, { background: true });
      signal.addEventListener("abort", end, { once: true });
      this.#waiting.add(end);
    });
  }
}

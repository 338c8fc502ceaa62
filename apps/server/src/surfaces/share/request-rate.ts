/** Requests that may be answered in a row, and how many more each second. */
const BURST = 60;
const PER_SECOND = 20;

/** Bounds how many shared pages are read, whoever reads them. `now`: epoch milliseconds. */
export class RequestRate {
  #free = BURST;
  #at = 0;

  /** True: it may be answered. */
  take(now: number): boolean {
    // A clock that was set back gives nothing, and takes nothing.
    this.#free = Math.min(BURST, this.#free + (Math.max(0, now - this.#at) * PER_SECOND) / 1_000);
    this.#at = now;
    if (this.#free < 1) return false;
    this.#free -= 1;
    return true;
  }
}

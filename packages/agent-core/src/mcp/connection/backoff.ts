const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** So many failures within the window are `failing`. */
const FAILURES = 5;
const WINDOW_MS = 5 * 60_000;
const RARE_MS = 5 * 60_000;
/** A connection that lasted so long clears what was before it. */
const CLEARS_AFTER_MS = 60_000;
/** Between two connections that are opened without waiting. */
const REOPEN_MS = 1_000;

/** When a server is tried again after it failed (M15). */
export class Backoff {
  readonly #random: () => number;
  /** Times of the failures since the last success that counts. */
  #failures: number[] = [];
  #inARow = 0;
  #reopenedAt = Number.NEGATIVE_INFINITY;

  /** `random` gives 0 up to 1. */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /**
   * Notes a failure. `upMs`: how long the connection had been open, 0 where it never was.
   * Returns how long to wait, and whether the server is `failing`.
   */
  failed(now: number, upMs: number): { readonly waitMs: number; readonly isFailing: boolean } {
    if (upMs >= CLEARS_AFTER_MS) this.clear();
    this.#failures = [...this.#failures.filter((at) => now - at < WINDOW_MS), now];
    this.#inARow++;
    // Without a success in between it stays failing: the rare tries are too far apart to fill the window again.
    if (this.#failures.length >= FAILURES || this.#inARow > FAILURES) return { waitMs: RARE_MS, isFailing: true };
    const whole = Math.min(FIRST_MS * 2 ** (this.#inARow - 1), LONGEST_MS);
    return { waitMs: Math.round(whole * (0.8 + 0.4 * this.#random())), isFailing: false };
  }

  /** Whether a forgotten session may be opened again at once (M6): a server that forgets each of them is one that fails. */
  mayReopen(now: number): boolean {
    const may = now - this.#reopenedAt >= REOPEN_MS;
    if (may) this.#reopenedAt = now;
    return may;
  }

  clear(): void {
    this.#failures = [];
    this.#inARow = 0;
  }
}

/** Calls in a sliding window: of any `windowMs`, at most `max` calls lie in it (B54 `enforcement.rate_limits`). */
export class RateWindow {
  readonly max: number;
  readonly windowMs: number;
  /** Times of the calls that still count, oldest first; never more than `max`. Epoch milliseconds. */
  readonly #taken: number[];

  /** `before`: the window that this one replaces when the limit has changed; its calls still count. */
  constructor(limit: { readonly max: number; readonly windowMs: number }, before?: RateWindow) {
    this.max = limit.max;
    this.windowMs = limit.windowMs;
    this.#taken = before === undefined || limit.max === 0 ? [] : before.#taken.slice(-limit.max);
  }

  /** Milliseconds until a call may be made: 0 for now, Infinity for never. */
  waitMs(now: number): number {
    this.#forget(now);
    if (this.#taken.length < this.max) return 0;
    const oldest = this.#taken[0];
    return oldest === undefined ? Number.POSITIVE_INFINITY : oldest + this.windowMs - now;
  }

  /** Counts a call. @returns false when it may not be made now; it is not counted then */
  take(now: number): boolean {
    if (this.waitMs(now) > 0) return false;
    this.#taken.push(now);
    return true;
  }

  #forget(now: number): void {
    const kept = this.#taken.findIndex((at) => at > now - this.windowMs);
    this.#taken.splice(0, kept < 0 ? this.#taken.length : kept);
  }
}

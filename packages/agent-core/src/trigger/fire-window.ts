/** A sliding window: so many within so long (B39: 8 in 60 s). Times are epoch milliseconds. */
export class FireWindow {
  readonly #most: number;
  readonly #ms: number;
  readonly #fired: number[] = [];

  constructor(most: number, ms: number) {
    this.#most = most;
    this.#ms = ms;
  }

  /** Milliseconds until one more fits; 0: it fits now. */
  wait(now: number): number {
    while (this.#fired[0] !== undefined && this.#fired[0] <= now - this.#ms) this.#fired.shift();
    const first = this.#fired[0];
    return first === undefined || this.#fired.length < this.#most ? 0 : first + this.#ms - now;
  }

  /** One more happened. */
  note(now: number): void {
    this.#fired.push(now);
  }
}

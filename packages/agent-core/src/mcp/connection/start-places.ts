/** How many servers connect at once. */
export const STARTS_AT_ONCE = 4;

/** Places for those that start; who waits gets one in order. */
export class StartPlaces {
  #free: number;
  #waiting: (() => void)[] = [];

  constructor(places = STARTS_AT_ONCE) {
    this.#free = places;
  }

  /** Runs it in a place. Whoever is aborted while it waits does not run. */
  async run<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await act();
    } finally {
      this.#leave();
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== enter);
        reject(signal.reason);
      };
      this.#waiting.push(enter);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}

/** The waiting of one reader until a signal: it listens to the signal once, however often it waits. */
export class ReaderWait {
  readonly #signal: AbortSignal;
  #resolve: (() => void) | undefined;
  /** Ends the present wait. */
  readonly wake = (): void => {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.wake);
  }

  /** Resolves when woken or aborted; never rejects. One wait at a time. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#signal.aborted) return resolve();
      this.#resolve = resolve;
    });
  }

  /** Stops listening. */
  close(): void {
    this.#signal.removeEventListener("abort", this.wake);
  }
}

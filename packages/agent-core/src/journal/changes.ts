import type { TaskRecord } from "./task-record.ts";

/**
 * The changes of a record, for a reader that waits for one after the other until a signal aborts: it listens to the signal
 * once, however many changes there are. A thousand readers wait twenty times a second, and what a wait allocates costs
 * garbage collections.
 */
export class Changes {
  readonly #record: TaskRecord;
  readonly #signal: AbortSignal;
  #resolve: (() => void) | undefined;
  readonly #wake = (): void => {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.();
  };
  readonly #aborted = (): void => {
    this.#record.offChange(this.#wake);
    this.#wake();
  };

  constructor(record: TaskRecord, signal: AbortSignal) {
    this.#record = record;
    this.#signal = signal;
    signal.addEventListener("abort", this.#aborted);
  }

  /** Resolves at the record's next change or when aborted; never rejects. One wait at a time. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#signal.aborted) return resolve();
      this.#resolve = resolve;
      this.#record.onChange(this.#wake);
    });
  }

  /** Stops listening. */
  close(): void {
    this.#signal.removeEventListener("abort", this.#aborted);
  }
}

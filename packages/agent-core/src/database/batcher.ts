import { DatabaseError } from "./database-error.ts";

/** Bounds of a batcher (EN10). Bytes are counted as given to `add`. */
export interface BatcherBounds {
  readonly batchItems: number;
  readonly batchBytes: number;
  readonly waitingItems: number;
  readonly waitingBytes: number;
  /** Batches on their way at a time. Default 1. */
  readonly inFlight?: number;
}

/** The outcome of a batch: one entry for each item, or nothing when each is `undefined`. */
export type BatchResults<Result> = readonly (Result | DatabaseError)[] | undefined;

/**
 * Collects what arrives together and sends it as one batch.
 *
 * Invariants
 *  BA1  Items are sent in the order they were added (DB2), at most `inFlight` batches at a time.
 *  BA2  Every item's promise settles, also when the sender fails or the batcher is stopped.
 *  BA3  What waits is bounded; an item beyond the bounds is refused and nothing else is touched.
 */
export class Batcher<Item, Result> {
  readonly #bounds: BatcherBounds;
  readonly #send: (items: readonly Item[]) => Promise<BatchResults<Result>>;
  #items: Item[] = [];
  #bytes: number[] = [];
  #resolves: ((result: Result) => void)[] = [];
  #rejects: ((error: DatabaseError) => void)[] = [];
  #waitingBytes = 0;
  #inFlight = 0;
  #scheduled = false;
  #lastSize = 1;
  #stopped: DatabaseError | undefined;
  #idle: (() => void)[] = [];
  readonly #flush = (): void => this.#flushNow();

  constructor(bounds: BatcherBounds, send: (items: readonly Item[]) => Promise<BatchResults<Result>>) {
    this.#bounds = bounds;
    this.#send = send;
  }

  /** Adds an item. @throws DatabaseError `overloaded`, or what the sender or `stop` gave */
  add(item: Item, bytes: number): Promise<Result> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    const { waitingItems, waitingBytes } = this.#bounds;
    if (this.#items.length >= waitingItems || this.#waitingBytes + bytes > waitingBytes) {
      return Promise.reject(
        new DatabaseError("overloaded", `${this.#items.length} requests wait for the store already`),
      );
    }
    return new Promise((resolve, reject) => {
      this.#items.push(item);
      this.#bytes.push(bytes);
      this.#resolves.push(resolve);
      this.#rejects.push(reject);
      this.#waitingBytes += bytes;
      this.#schedule();
    });
  }

  /** Refuses every later item with `error`; with `waitingToo`, also those that were not sent yet. */
  stop(error: DatabaseError, waitingToo: boolean): void {
    this.#stopped ??= error;
    if (!waitingToo) return;
    const rejects = this.#rejects;
    this.#items = [];
    this.#bytes = [];
    this.#resolves = [];
    this.#rejects = [];
    this.#waitingBytes = 0;
    for (const reject of rejects) reject(error);
  }

  /** Resolves when nothing waits and nothing is on its way. */
  idle(): Promise<void> {
    if (this.#inFlight === 0 && !this.#scheduled) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= (this.#bounds.inFlight ?? 1)) return;
    this.#scheduled = true;
    // A lone caller gains 0.1 ms from going at once; under load, waiting for the rest of this turn of the loop makes
    // larger groups. The size of the last batch decides which it is (measured).
    if (this.#lastSize === 1 && this.#inFlight === 0) queueMicrotask(this.#flush);
    else setImmediate(this.#flush);
  }

  #flushNow(): void {
    this.#scheduled = false;
    const count = this.#nextSize();
    if (count === 0) {
      this.#next();
      return;
    }
    this.#lastSize = count;
    this.#inFlight += 1;
    const items = this.#items.splice(0, count);
    const resolves = this.#resolves.splice(0, count);
    const rejects = this.#rejects.splice(0, count);
    for (const bytes of this.#bytes.splice(0, count)) this.#waitingBytes -= bytes;
    this.#send(items).then(
      (results) => {
        for (let i = 0; i < count; i += 1) {
          const result = results?.[i];
          if (result instanceof DatabaseError) rejects[i]?.(result);
          else resolves[i]?.(result as Result);
        }
        this.#done();
      },
      (error: unknown) => {
        const failed =
          error instanceof DatabaseError ? error : new DatabaseError("unwritable", String(error), { cause: error });
        for (const reject of rejects) reject(failed);
        this.#done();
      },
    );
  }

  #nextSize(): number {
    let bytes = 0;
    for (let count = 0; count < this.#items.length && count < this.#bounds.batchItems; count += 1) {
      bytes += this.#bytes[count] ?? 0;
      // At least one item goes, however large.
      if (count > 0 && bytes > this.#bounds.batchBytes) return count;
    }
    return Math.min(this.#items.length, this.#bounds.batchItems);
  }

  #done(): void {
    this.#inFlight -= 1;
    this.#next();
  }

  #next(): void {
    if (this.#items.length > 0) {
      this.#schedule();
      return;
    }
    if (this.#inFlight > 0 || this.#scheduled) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

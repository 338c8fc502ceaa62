/** Batches of reads that met a commit in progress within a second, from which on reads and commits compete in it. */
const MEETINGS = 20;
/** Seconds in a row in which they compete, from which on a reading thread is worth its 15 MB. */
const SECONDS = 3;
/** After so long without need the thread is not worth it any more. */
const UNUSED_MS = 300_000;

/**
 * Decides when reads and commits of a file compete for long enough that a thread for the reads pays. Background reads
 * under load, or at a start, compete with commits too: a few times a second, or for a second or two.
 */
export class ReaderNeed {
  #since = 0;
  #meetings = 0;
  #seconds = 0;
  #lastNeeded = 0;

  /** A batch of reads met a commit in progress at `now` (milliseconds). @returns whether the thread pays */
  met(now: number): boolean {
    const elapsed = now - this.#since;
    if (elapsed >= 1_000) {
      this.#seconds = elapsed < 2_000 && this.#meetings >= MEETINGS ? this.#seconds + 1 : 0;
      this.#since = now;
      this.#meetings = 0;
    }
    this.#meetings += 1;
    if (this.#seconds < SECONDS) return false;
    this.#lastNeeded = now;
    return true;
  }

  /** The thread was needed at `now` for another reason: a long read. */
  needed(now: number): void {
    this.#lastNeeded = now;
  }

  /** Whether it was not needed for some minutes. */
  ended(now: number): boolean {
    return now - this.#lastNeeded >= UNUSED_MS;
  }
}

import { isStoreGone } from "../database/index.ts";
import type { HeldWatch } from "./held-watch.ts";
import type { WatchesParts } from "./watches-parts.ts";

/** Milliseconds between two writes: what a kill loses at most, with the time between two ticks (G19). */
const BETWEEN_MS = 20_000;

/**
 * Stores, now and then, what counts towards a report of no change. The other counters are stored with edges and at a regular stop:
 * a check that finds nothing new writes nothing (WA2).
 */
export class WatchCounters {
  readonly #parts: WatchesParts;
  #at = 0;
  #writing: Promise<unknown> | undefined;

  constructor(parts: WatchesParts) {
    this.#parts = parts;
  }

  tick(): void {
    const { clock, held: all, log } = this.#parts;
    if (this.#writing !== undefined || clock.now() - this.#at < BETWEEN_MS) return;
    const unsaved = all.all().filter((held) => held.unsaved);
    if (unsaved.length === 0) return;
    this.#at = clock.now();
    this.#writing = Promise.all(unsaved.map((held) => this.#save(held)))
      .catch((error: unknown) => {
        if (!isStoreGone(error)) log.warn(`the counters of watches could not be stored: ${String(error)}`);
      })
      .finally(() => {
        this.#writing = undefined;
      });
  }

  /** Resolves once nothing is written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** In its turn among the changes of the watch: an edge that is being stored must not be overwritten. */
  #save({ watch: { id } }: HeldWatch): Promise<void> {
    const { held: all, db, store } = this.#parts;
    return all.lock(id, async () => {
      const held = all.get(id);
      if (held === undefined || !held.unsaved) return;
      held.unsaved = false;
      await db.commit({ label: "watch.counters", statements: [store.put(held.watch)] });
    });
  }
}

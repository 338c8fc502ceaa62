import { type FireWindow, RowLocks } from "../trigger/index.ts";
import type { Watch } from "./watch.ts";

/** A watch in memory. */
export interface HeldWatch {
  watch: Watch;
  /** Another one: the watch was changed, so a check that runs is of a former one. */
  revision: number;
  /** Checks since it was stored count towards a report of no change. */
  unsaved: boolean;
  /** When it is checked next; undefined: it is not. */
  next: number | undefined;
  /** Its reactions of the last hour. */
  readonly window: FireWindow;
  /** Its check that runs. */
  checking: Promise<void> | undefined;
}

/** Watches of a store. All of them are in memory. */
export class HeldWatches {
  readonly #watches = new Map<string, HeldWatch>();
  readonly #locks = new RowLocks();

  get(id: string): HeldWatch | undefined {
    return this.#watches.get(id);
  }

  all(): readonly HeldWatch[] {
    return [...this.#watches.values()];
  }

  set(held: HeldWatch): void {
    this.#watches.set(held.watch.id, held);
  }

  delete(id: string): void {
    this.#watches.delete(id);
  }

  /** Changes of one watch run one after another; a check is none. */
  lock<T>(id: string, change: () => Promise<T>): Promise<T> {
    return this.#locks.run(id, change);
  }

  /** Resolves once no change runs. */
  idle(): Promise<void> {
    return this.#locks.idle();
  }
}

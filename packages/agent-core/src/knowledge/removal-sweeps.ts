import type { Clock } from "../clock/index.ts";
import type { KnowledgeStore } from "./knowledge-store.ts";

export interface RemovalSweepsOptions {
  readonly store: Pick<KnowledgeStore, "sweep">;
  /** Whether the store has been made. */
  readonly exists: () => boolean;
  readonly clock: Pick<Clock, "now">;
  readonly onFailure: (error: unknown) => void;
}

const HOUR_MS = 3_600_000;

/** Deletes what was removed, at the start and every hour. */
export class RemovalSweeps {
  readonly #options: RemovalSweepsOptions;
  #last = Number.NEGATIVE_INFINITY;

  constructor(options: RemovalSweepsOptions) {
    this.#options = options;
  }

  /** Sweeps if it is time to. */
  tick(): void {
    const { store, exists, clock, onFailure } = this.#options;
    const now = clock.now();
    if (now - this.#last < HOUR_MS) return;
    this.#last = now;
    if (exists()) store.sweep().catch(onFailure);
  }
}

import type { Clock } from "../clock/index.ts";
import { isStoreGone } from "../database/index.ts";
import type { Engine } from "../feature/index.ts";
import type { Forgetting } from "./forgetting/forgetting.ts";
import type { KnowledgeStore } from "./knowledge-store.ts";
import type { OpenDocuments } from "./sources/open-documents.ts";

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

/** Deletes for good what was removed a day ago. */
export function openSweeps(
  {
    forgetting,
    documents,
    store,
    exists,
  }: {
    readonly forgetting: Pick<Forgetting, "sweep">;
    readonly documents: Pick<OpenDocuments, "sweep">;
    readonly store: KnowledgeStore;
    readonly exists: () => boolean;
  },
  { clock, log }: Pick<Engine, "clock" | "log">,
): RemovalSweeps {
  return new RemovalSweeps({
    ...{ exists, clock },
    store: {
      async sweep() {
        await forgetting.sweep();
        await documents.sweep();
        await store.sweep();
      },
    },
    onFailure(error) {
      if (!isStoreGone(error)) log.warn(`forgotten memories could not be deleted: ${String(error)}`);
    },
  });
}

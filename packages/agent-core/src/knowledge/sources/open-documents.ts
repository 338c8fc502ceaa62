import { Ingestion, type IngestionOptions } from "./ingestion.ts";
import type { SourceStoreOptions } from "./source-rows.ts";
import { SourceStore } from "./source-store.ts";
import { Sources, type SourcesOptions } from "./sources.ts";

/** What the documents of a store are opened over. */
export type DocumentsOptions = SourceStoreOptions &
  Pick<IngestionOptions, "bus" | "redact" | "onFailure"> &
  Pick<SourcesOptions, "egress">;

/** Documents of a store: handed over, read behind it, and swept. */
export interface OpenDocuments {
  readonly sources: Sources;
  readonly ingestion: Ingestion;
  /** Deletes what was removed more than a day ago. @throws DatabaseError */
  sweep(): Promise<void>;
}

/** Opens the documents of a store. */
export function openDocuments({ bus, redact, onFailure, egress, ...rest }: DocumentsOptions): OpenDocuments {
  const store = new SourceStore(rest);
  const ingestion = new Ingestion({ store, bus, redact, onFailure });
  return {
    ingestion,
    sources: new Sources({ store, ingestion, bus, redact, egress }),
    async sweep() {
      while (await store.sweep());
    },
  };
}

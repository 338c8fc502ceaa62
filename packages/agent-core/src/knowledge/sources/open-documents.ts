import { Ingestion, type IngestionOptions } from "./ingestion.ts";
import { attachmentsOf } from "./source.ts";
import type { SourceStoreOptions } from "./source-rows.ts";
import { SourceStore } from "./source-store.ts";
import { Sources, type SourcesOptions } from "./sources.ts";

/** What the documents of a store are opened over. */
export interface DocumentsOptions
  extends SourceStoreOptions,
    Pick<IngestionOptions, "bus" | "redact" | "onFailure">,
    Pick<SourcesOptions, "egress"> {
  /** Whether the store has been made. */
  readonly exists: () => boolean;
  /** Takes the words of what was deleted out of the index. */
  readonly clean: () => Promise<void>;
}

/** Documents of a store: handed over, read behind it, and deleted. */
export interface OpenDocuments {
  readonly sources: Sources;
  /** Goes on with documents that a former process left. */
  start(): void;
  /** Deletes those of one conversation. @throws DatabaseError */
  forgetSession(session: string): Promise<void>;
  /** Deletes one for good; its words stay in the index. @throws DatabaseError */
  readonly forget: (source: number) => Promise<void>;
  /** Deletes what was removed more than a day ago; its words stay in the index. @throws DatabaseError */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the documents of a store. */
export function openDocuments(options: DocumentsOptions): OpenDocuments {
  const { alone, get, clock, bus, redact, onFailure, egress, exists, clean } = options;
  const store = new SourceStore({ alone, get, clock });
  const ingestion = new Ingestion({ store, bus, redact, onFailure });
  return {
    sources: new Sources({ store, ingestion, bus, redact, egress, exists }),
    start() {
      if (exists()) ingestion.wake();
    },
    async forgetSession(session) {
      if (!exists()) return;
      await store.forgetNamespace(attachmentsOf(session));
      // Also what a process that ended had removed, and not yet cleaned.
      await clean();
    },
    forget: (source) => store.forget(source),
    async sweep() {
      while (await store.sweep());
    },
    close: () => ingestion.close(),
  };
}

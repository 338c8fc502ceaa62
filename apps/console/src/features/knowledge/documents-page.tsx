import type { ReactElement } from "react";
import { PartPage } from "../../parts/index.ts";
import { EmptyState, ListStates } from "../../ui/index.ts";
import { AddSource } from "./add-source.tsx";
import { KNOWLEDGE_PARTS } from "./knowledge-parts.ts";
import { SourceRow } from "./source-row.tsx";
import { useSources } from "./use-sources.ts";

/** Documents that were read into memories: handed over, followed while they are read, removed and restored. */
export function DocumentsPage(): ReactElement {
  const list = useSources();
  const sources = list.data?.pages.flatMap((page) => page.sources) ?? [];
  return (
    <PartPage title="Knowledge" parts={KNOWLEDGE_PARTS}>
      <div className="mx-auto max-w-3xl px-4 pb-16">
        <AddSource />
        <ListStates
          list={list}
          isEmpty={sources.length === 0}
          failed="The documents cannot be read"
          empty={
            <EmptyState drawing="records" title="No documents yet">
              What a document says is found where it fits a message. It counts as information from outside, never as an
              instruction.
            </EmptyState>
          }
        >
          <ul aria-label="Documents" className="divide-y divide-line">
            {sources.map((source) => (
              <SourceRow key={source.id} source={source} />
            ))}
          </ul>
        </ListStates>
      </div>
    </PartPage>
  );
}

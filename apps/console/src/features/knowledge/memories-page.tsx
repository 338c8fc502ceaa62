import { type ReactElement, useDeferredValue, useMemo, useState } from "react";
import { useCommands } from "../../commands/index.ts";
import { MemoryForm } from "../../memory/index.ts";
import { PartPage, useSearchValue } from "../../parts/index.ts";
import { Button, Dialog, EmptyState, ListStates } from "../../ui/index.ts";
import { KNOWLEDGE_PARTS } from "./knowledge-parts.ts";
import { MemoryRow } from "./memory-row.tsx";
import { HowFound, MemorySearch } from "./memory-search.tsx";
import { useMemories } from "./use-memories.ts";

/** What the agent remembers: found, written, changed and deleted. */
export function MemoriesPage(): ReactElement {
  const [asked = "", setAsked] = useSearchValue("q");
  const [domain = "", setDomain] = useSearchValue("domain");
  const [source = "", setSource] = useSearchValue("source");
  const [superseded, setSuperseded] = useSearchValue("corrected");
  const [adding, setAdding] = useState(false);
  const search = useDeferredValue(asked);
  const list = useMemories({ search, domain, source, superseded: superseded !== undefined });
  useCommands(
    useMemo(
      () => [{ id: "memory-add", label: "Remember something", group: "Knowledge", run: () => setAdding(true) }],
      [],
    ),
  );
  const first = list.data?.pages[0];
  const memories = list.data?.pages.flatMap((page) => page.results) ?? [];
  const domains = Object.entries(first?.stats ?? {}).filter(([name]) => name !== "total");
  const isEmpty = search === "" && domain === "" && source === "" && first?.stats.total === 0 && memories.length === 0;
  const add = (
    <Button small kind="primary" onClick={() => setAdding(true)}>
      New memory
    </Button>
  );
  return (
    <PartPage title="Knowledge" parts={KNOWLEDGE_PARTS} actions={!isEmpty && add}>
      <div className="mx-auto max-w-3xl px-4 pb-16">
        {!isEmpty && (
          <MemorySearch
            filter={{ search: asked, domain, source, superseded: superseded !== undefined }}
            domains={domains}
            onSearch={setAsked}
            onDomain={setDomain}
            onSource={setSource}
            onSuperseded={setSuperseded}
          />
        )}
        {search !== "" && first !== undefined && <HowFound found={first} />}
        <ListStates
          list={list}
          isEmpty={memories.length === 0}
          failed="The memories cannot be read"
          empty={
            isEmpty ? (
              <EmptyState drawing="agents" title="No memories yet" action={add}>
                What the agent learns of you and your work appears here, with what you write yourself. It finds it again
                in every conversation.
              </EmptyState>
            ) : (
              <EmptyState drawing="search" title="No memory fits">
                Try other words, or all domains and documents.
              </EmptyState>
            )
          }
        >
          <ul aria-label="Memories" className="divide-y divide-line">
            {memories.map((memory) => (
              <MemoryRow key={memory.id} memory={memory} search={search} />
            ))}
          </ul>
        </ListStates>
      </div>
      <Dialog open={adding} onOpenChange={setAdding} title="New memory" sheet>
        <MemoryForm onDone={() => setAdding(false)} />
      </Dialog>
    </PartPage>
  );
}

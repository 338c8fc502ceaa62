import { type ReactElement, useState } from "react";
import { MemoryForm } from "../../memory/index.ts";
import { PartPage } from "../../parts/index.ts";
import { Button, count, Dialog, EmptyState, ListStates } from "../../ui/index.ts";
import { KNOWLEDGE_PARTS } from "./knowledge-parts.ts";
import { MemoryRow } from "./memory-row.tsx";
import { useAlwaysOn } from "./use-memories.ts";

/** Characters of always-on memory that every conversation is shown at most. */
const SHOWN = 6_000;

/** Memories that every conversation is shown: written, changed and deleted. */
export function AlwaysOnPage(): ReactElement {
  const list = useAlwaysOn();
  const [adding, setAdding] = useState(false);
  const memories = list.data?.pages.flatMap((page) => page.chunks) ?? [];
  const characters = memories.reduce((sum, { content }) => sum + content.length, 0);
  const add = (
    <Button small kind="primary" onClick={() => setAdding(true)}>
      New one
    </Button>
  );
  return (
    <PartPage title="Knowledge" parts={KNOWLEDGE_PARTS} actions={memories.length > 0 && add}>
      <div className="mx-auto max-w-3xl px-4 pb-16">
        {memories.length > 0 && (
          <p className="pt-4 text-ink-soft">
            {`Every conversation is shown these, the newest first, up to ${count(SHOWN)} characters. Here are ${count(characters)}.`}
          </p>
        )}
        <ListStates
          list={list}
          isEmpty={memories.length === 0}
          failed="Always-on memory cannot be read"
          empty={
            <EmptyState drawing="agents" title="No memory is always on" action={add}>
              What stands here is shown to every conversation: how you like to be answered, what is never to be done.
            </EmptyState>
          }
        >
          <ul aria-label="Always-on memories" className="divide-y divide-line">
            {memories.map((memory) => (
              <MemoryRow key={memory.id} memory={memory} search="" />
            ))}
          </ul>
        </ListStates>
      </div>
      <Dialog open={adding} onOpenChange={setAdding} title="New always-on memory" sheet>
        <MemoryForm alwaysOn onDone={() => setAdding(false)} />
      </Dialog>
    </PartPage>
  );
}

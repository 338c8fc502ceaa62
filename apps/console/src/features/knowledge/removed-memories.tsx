import type { ReactElement } from "react";
import { useNotices } from "../../notices/index.ts";
import { Button, failureOf } from "../../ui/index.ts";
import { MemoryText } from "./memory-row.tsx";
import type { Memory } from "./memory-types.ts";
import { useRemovedMemories, useRestoreMemory } from "./use-memories.ts";

/** Memories that were removed within the last day, by a person or by the agent, and can be restored. */
export function RemovedMemories(): ReactElement | null {
  const { data } = useRemovedMemories();
  const memories = data?.pages.flatMap((page) => page.chunks) ?? [];
  if (memories.length === 0) return null;
  return (
    <section className="pt-4">
      <h2 className="font-medium">Can be restored for a day</h2>
      <ul aria-label="Removed memories" className="divide-y divide-line">
        {memories.map((memory) => (
          <RemovedMemory key={memory.id} memory={memory} />
        ))}
      </ul>
    </section>
  );
}

function RemovedMemory({ memory }: { readonly memory: Memory }): ReactElement {
  const notify = useNotices();
  const restore = useRestoreMemory(memory);
  return (
    <li className="flex flex-wrap items-start gap-3 py-3.5">
      <MemoryText memory={memory} />
      <Button
        small
        busy={restore.isPending}
        onClick={() =>
          // The list may be read again, without this row, before the change has ended: callbacks of the mutation are not called then.
          void restore.mutateAsync().then(
            () => notify({ text: `Memory ${memory.id} is back.`, tone: "good" }),
            (error: unknown) => notify({ text: failureOf(error).message, tone: "bad" }),
          )
        }
      >
        Restore<span className="sr-only"> memory {memory.id}</span>
      </Button>
    </li>
  );
}

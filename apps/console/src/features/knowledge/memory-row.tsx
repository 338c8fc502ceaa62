import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { Menu } from "../../menu/index.ts";
import { ConfirmRemoval } from "../../notices/index.ts";
import { Dialog, RelativeTime } from "../../ui/index.ts";
import { MemoryForm } from "./memory-form.tsx";
import type { Memory } from "./memory-types.ts";
import { memoryFacts, pieces } from "./memory-words.ts";
import { useRemoveMemory } from "./use-memories.ts";

/** What a memory says, and what else to know of it. */
export function MemoryText({
  memory,
  search = "",
}: {
  readonly memory: Memory;
  readonly search?: string;
}): ReactElement {
  const { id, subject, heading, content, updated_at: said, superseded_by: replaced } = memory;
  const title = subject || heading;
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      {title !== "" && (
        <h2 className="font-medium break-words">
          <Marked text={title} search={search} />
        </h2>
      )}
      <p className="line-clamp-6 break-words whitespace-pre-wrap">
        <Marked text={content} search={search} />
      </p>
      <p className="text-sm break-words text-ink-soft">
        {`#${id} · ${memoryFacts(memory)} · `}
        <RelativeTime at={said} />
        {replaced !== null && ` · corrected by #${replaced}`}
      </p>
    </div>
  );
}

function Marked({ text, search }: { readonly text: string; readonly search: string }): ReactNode {
  let from = 0;
  return pieces(text, search).map((piece) => {
    const key = from;
    from += piece.text.length;
    return piece.isFound ? (
      <mark key={key} className="rounded-sm bg-accent-soft text-accent">
        {piece.text}
      </mark>
    ) : (
      piece.text
    );
  });
}

/** A memory in a list, with what can be done with it. */
export function MemoryRow({ memory, search }: { readonly memory: Memory; readonly search: string }): ReactElement {
  const [open, setOpen] = useState<"edit" | "delete">();
  const { id } = memory;
  const remove = useRemoveMemory(memory);
  const close = (): void => setOpen(undefined);
  return (
    <li className="flex items-start gap-3 py-3.5">
      <MemoryText memory={memory} search={search} />
      <Menu
        label={`Actions of memory ${id}`}
        icon={Ellipsis}
        actions={[
          { label: "Edit", icon: Pencil, run: () => setOpen("edit") },
          { label: "Delete", icon: Trash2, run: () => setOpen("delete"), danger: true },
        ]}
      />
      <Dialog open={open === "edit"} onOpenChange={close} title={`Memory ${id}`} sheet>
        <MemoryForm memory={memory} onDone={close} />
      </Dialog>
      <Dialog open={open === "delete"} onOpenChange={close} title={`Delete memory ${id}?`}>
        <ConfirmRemoval
          removal={remove}
          text="It is deleted at once and for good, also where conversations were shown it. What you and the agent said stays."
          action="Delete it"
          done={`Memory ${id} is deleted.`}
          onClose={close}
        />
      </Dialog>
    </li>
  );
}

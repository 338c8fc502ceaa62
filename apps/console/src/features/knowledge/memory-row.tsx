import { Ellipsis, Eye, Pencil, Share2, Trash2, Undo2 } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { DeleteMemory, isOwnMemory, MemoryForm } from "../../memory/index.ts";
import { Menu, type MenuAction } from "../../menu/index.ts";
import { useNotices } from "../../notices/index.ts";
import { Dialog, failureOf, RelativeTime } from "../../ui/index.ts";
import type { Memory } from "./memory-types.ts";
import { memoryFacts, memoryTitle, pieces } from "./memory-words.ts";
import { MemoryUses } from "./shown/memory-uses.tsx";
import { usePromoteMemory, useWithdrawMemory } from "./use-memories.ts";

/** What a memory says, and what else to know of it. */
export function MemoryText({
  memory,
  search = "",
}: {
  readonly memory: Memory;
  readonly search?: string;
}): ReactElement {
  const { id, content, updated_at: said, superseded_by: replaced } = memory;
  const title = memoryTitle(memory);
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
        {search !== "" && memory.score !== null && ` · score ${memory.score.toFixed(3)}`}
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
  const [open, setOpen] = useState<"edit" | "uses" | "delete">();
  const { id } = memory;
  const isOwn = isOwnMemory(memory);
  const sharing = useSharing(memory);
  const close = (): void => setOpen(undefined);
  return (
    <li className="flex items-start gap-3 py-3.5">
      <MemoryText memory={memory} search={search} />
      <Menu
        label={`Actions of memory ${id}`}
        icon={Ellipsis}
        actions={[
          ...(isOwn ? [{ label: "Edit", icon: Pencil, run: () => setOpen("edit") }] : []),
          { label: "Who saw it", icon: Eye, run: () => setOpen("uses") },
          ...sharing,
          ...(isOwn ? [{ label: "Delete", icon: Trash2, run: () => setOpen("delete"), danger: true }] : []),
        ]}
      />
      <Dialog open={open === "edit"} onOpenChange={close} title={`Memory ${id}`} sheet>
        <MemoryForm memory={memory} onDone={close} />
      </Dialog>
      <Dialog open={open === "uses"} onOpenChange={close} title={`Turns that saw memory ${id}`} sheet>
        <MemoryUses memory={id} />
      </Dialog>
      <Dialog open={open === "delete"} onOpenChange={close} title={`Delete memory ${id}?`}>
        <DeleteMemory memory={memory} onClose={close} />
      </Dialog>
    </li>
  );
}

/** What can be done with a memory and the commons. */
function useSharing(memory: Memory): readonly MenuAction[] {
  const { id, commons, tier } = memory;
  const notify = useNotices();
  const promote = usePromoteMemory(memory);
  const withdraw = useWithdrawMemory(memory);
  const run = (change: typeof promote, done: string) => (): void =>
    // The list may be read again, without this row, before the change has ended: callbacks of the mutation are not called then.
    void change.mutateAsync().then(
      () => notify({ text: done, tone: "good" }),
      (error: unknown) => notify({ text: failureOf(error).message, tone: "bad" }),
    );
  const actions: MenuAction[] = [];
  if (commons === "nothing" || commons === "other")
    actions.push({
      label: commons === "nothing" ? "Share on this machine" : "Share in place of what is shared",
      icon: Share2,
      run: run(promote, `The agents of this machine share memory ${id} now.`),
    });
  if (commons === "same" || commons === "other")
    actions.push({
      label: "Stop sharing",
      icon: Undo2,
      run: run(
        withdraw,
        tier === "private" ? `Memory ${id} is this agent's alone.` : `Memory ${id} is shared no more.`,
      ),
    });
  return actions;
}

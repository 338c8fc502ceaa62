import { lazy, type ReactElement, Suspense, useState } from "react";
import type { StoredTurn } from "../live/turn-history.ts";

// Few people open it, and the chat's first load stays small.
const RecalledMemories = lazy(async () => ({ default: (await import("./recalled-memories.tsx")).RecalledMemories }));

/** The line of a turn that was shown memories; it opens to them. */
export function RecalledLine({
  recalled = [],
  session,
  task,
}: Pick<StoredTurn, "recalled"> & {
  readonly session: string;
  readonly task: string | undefined;
}): ReactElement | null {
  const [isOpen, setIsOpen] = useState(false);
  if (recalled.length === 0) return null;
  return (
    <details className="text-sm text-ink-soft" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-md py-0.5 hover:text-ink">
        {recalled.length === 1 ? "Recalled 1 memory" : `Recalled ${recalled.length} memories`}
      </summary>
      {isOpen && (
        <Suspense>
          <RecalledMemories recalled={recalled} session={session} task={task} />
        </Suspense>
      )}
    </details>
  );
}

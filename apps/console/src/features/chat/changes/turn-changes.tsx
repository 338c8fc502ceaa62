import { lazy, type ReactElement, Suspense } from "react";
import type { Step } from "../live/live-turn.ts";

/** Tools after whose calls a turn may have changed files. */
const CHANGING: ReadonlySet<string> = new Set([
  ...["write_file", "edit_file", "delete_file", "run_command", "execute_code", "task", "task_batch"],
]);

// No part of the page of chats: few turns need it.
const ChangesLine = lazy(async () => ({ default: (await import("./changes-line.tsx")).ChangesLine }));

/** What a turn changed in files, where it called a tool that can. */
export function TurnChanges({
  taskId,
  steps,
}: {
  readonly taskId: string;
  readonly steps: readonly Step[];
}): ReactElement | null {
  if (!steps.some((step) => step.kind === "tool" && CHANGING.has(step.name))) return null;
  return (
    <Suspense>
      <ChangesLine taskId={taskId} />
    </Suspense>
  );
}

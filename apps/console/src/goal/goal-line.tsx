import { lazy, type ReactElement, Suspense } from "react";

const Line = lazy(async () => ({ default: (await import("./read-goal-line.tsx")).ReadGoalLine }));

/** The active goal of a conversation in a line; nothing where there is none. */
export function GoalLine(of: { readonly session: string }): ReactElement {
  return (
    <Suspense>
      <Line {...of} />
    </Suspense>
  );
}

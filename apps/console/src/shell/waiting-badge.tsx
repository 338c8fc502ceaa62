import type { ReactElement } from "react";
import { classNames } from "../ui/index.ts";

/** How many things wait for a person; nothing where none does. */
export function WaitingBadge({
  count,
  className,
}: {
  readonly count: number;
  readonly className?: string;
}): ReactElement | null {
  if (count === 0) return null;
  return (
    <span
      className={classNames(
        "min-w-4 rounded-full bg-waiting px-1 text-center text-xs font-semibold text-ground",
        className,
      )}
    >
      {count > 99 ? "99+" : count}
      <span className="sr-only"> waiting for you</span>
    </span>
  );
}

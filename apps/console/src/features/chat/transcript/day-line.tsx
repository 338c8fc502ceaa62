import type { ReactElement } from "react";
import { dayName } from "../../../ui/index.ts";

/** The line above the first turn of a day. The conversation's first turn has none where it is of today. */
export function DayLine({
  day,
  isFirst,
}: {
  readonly day: Date | undefined;
  readonly isFirst: boolean;
}): ReactElement | null {
  if (day === undefined) return null;
  const now = new Date();
  if (isFirst && day.toDateString() === now.toDateString()) return null;
  return (
    <p className="mb-5 flex items-center gap-3 text-xs font-medium text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      <time dateTime={day.toISOString()}>{dayName(day, now)}</time>
    </p>
  );
}

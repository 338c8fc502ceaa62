import { ArrowDown } from "lucide-react";
import { type ReactElement, useState } from "react";

/** The end of a conversation at some time. */
export interface EndOfRows {
  readonly key: string | undefined;
  /** Position of the last row. */
  readonly index: number;
  /** Its height in pixels. */
  readonly size: number;
}

/** Pixels by which a row grows before that counts as more of it. */
const GROWN = 12;

/** A button that scrolls to the end, with what arrived there since the person left it. */
export function BelowMarker({
  end,
  rowAt,
  isNear,
  onPress,
}: {
  readonly end: EndOfRows;
  /** Position of a row now; -1 where it is gone. Older rows before it move it. */
  readonly rowAt: (key: string | undefined) => number;
  /** The end is in sight: the button shows only where something is new. */
  readonly isNear: boolean;
  readonly onPress: () => void;
}): ReactElement | null {
  const [left] = useState(end);
  const before = rowAt(left.key);
  const added = before === -1 ? 0 : end.index - before;
  const grew = added === 0 && end.key === left.key && end.size > left.size + GROWN;
  if (isNear && added === 0 && !grew) return null;
  const label = added > 0 ? `${added} new below` : grew ? "More below" : "To the end";
  return (
    <button
      type="button"
      onClick={onPress}
      className="absolute bottom-3 left-1/2 flex min-h-8 -translate-x-1/2 animate-appear items-center gap-1 rounded-full border border-line bg-raised px-3 text-sm font-medium shadow-float hover:bg-hover"
    >
      <ArrowDown aria-hidden className="size-4" />
      {label}
    </button>
  );
}

import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type ReactElement, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ScrollRegion } from "../../../ui/index.ts";
import type { TurnRow } from "./shown-turns.ts";

/** Pixels from the end within which the view follows new content. */
const NEAR_END = 80;
/** Rows from the start at which older ones are read. */
const NEAR_START = 4;
const GUESSED_HEIGHT = 180;

/**
 * The turns of a conversation, of which only the visible ones are rendered. The view follows the end while it is there,
 * and stays where it is otherwise; older rows that are added before do not move it.
 */
export function MessageList({
  rows,
  start,
  sent,
  hasOlder,
  onOlder,
  children,
}: {
  readonly rows: readonly TurnRow[];
  /** The turn that is shown first; undefined: the end. */
  readonly start: string | undefined;
  /** Number of messages the person sent: at each the view scrolls to the end. */
  readonly sent: number;
  readonly hasOlder: boolean;
  readonly onOlder: () => void;
  readonly children: (row: TurnRow) => ReactNode;
}): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => GUESSED_HEIGHT,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    // The first render shows the end, not the beginning.
    initialOffset: () => rows.length * GUESSED_HEIGHT,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: NEAR_END,
    overscan: 4,
    paddingStart: 16,
    paddingEnd: 24,
  });
  const [atEnd, setAtEnd] = useState(true);
  const begun = rows.length > 0;
  const startsAt = start === undefined || sent > 0 ? -1 : rows.findIndex(({ task }) => task === start);
  useStart(list, { begun, sent, startsAt });
  const items = list.getVirtualItems();
  const height = list.getTotalSize();
  useEffect(() => setAtEnd(list.isAtEnd(NEAR_END)), [list, height]);
  const first = items[0]?.index;
  useEffect(() => {
    if (hasOlder && first !== undefined && first < NEAR_START) onOlder();
  }, [hasOlder, first, onOlder]);
  return (
    <div className="relative min-h-0 flex-1">
      <ScrollRegion
        ref={scroller}
        // A gutter on both sides keeps the column where the composer's is, with or without a scrollbar.
        className="@container h-full overflow-y-auto [overflow-anchor:none] [scrollbar-gutter:stable_both-edges]"
        role="log"
        label="Conversation"
        aria-live="off"
        onScroll={() => setAtEnd(list.isAtEnd(NEAR_END))}
      >
        <div className="relative mx-auto w-full max-w-[49.5rem] px-4" style={{ height }}>
          {items.map((item) => {
            const row = rows[item.index];
            return (
              <div
                key={item.key}
                ref={list.measureElement}
                data-index={item.index}
                className="absolute inset-x-4 pb-8"
                style={{ transform: `translateY(${item.start}px)`, top: 0 }}
              >
                {row !== undefined && children(row)}
              </div>
            );
          })}
        </div>
      </ScrollRegion>
      {!atEnd && <NewPill rows={rows} onPress={() => list.scrollToEnd({ behavior: "auto" })} />}
    </div>
  );
}

/** Begins at a row, -1 being the end, and goes to the end with each message that is sent. */
function useStart(
  list: Pick<Virtualizer<HTMLDivElement, Element>, "scrollToEnd" | "scrollToIndex">,
  { begun, sent, startsAt }: { readonly begun: boolean; readonly sent: number; readonly startsAt: number },
): void {
  const hasStarted = useRef(false);
  useLayoutEffect(() => {
    if (startsAt === -1) {
      if (begun || sent > 0) list.scrollToEnd();
    } else if (!hasStarted.current) list.scrollToIndex(startsAt, { align: "start" });
    hasStarted.current = begun;
  }, [list, begun, sent, startsAt]);
}

/** A button that scrolls to the end; it shows when something arrived there since the person left it. */
function NewPill({ rows, onPress }: { readonly rows: readonly TurnRow[]; readonly onPress: () => void }): ReactElement {
  const [left] = useState(rows.at(-1)?.key);
  const isNew = rows.at(-1)?.key !== left;
  return (
    <button
      type="button"
      onClick={onPress}
      className="absolute bottom-3 left-1/2 flex min-h-8 -translate-x-1/2 animate-appear items-center gap-1 rounded-full border border-line bg-raised px-3 text-sm font-medium shadow-float hover:bg-hover"
    >
      <ArrowDown aria-hidden className="size-4" />
      {isNew ? "New" : "To the end"}
    </button>
  );
}

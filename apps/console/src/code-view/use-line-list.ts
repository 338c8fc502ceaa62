import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect } from "react";

const LINE_HEIGHT = 20;
/** Lines above the first one that is pointed at. */
const ABOVE = 4;

/** The lines of a file, of which only those in sight are drawn; it begins, and goes, to the line that is pointed at. */
export function useLineList(
  scroller: RefObject<HTMLDivElement | null>,
  {
    rows,
    isWrapped,
    start,
  }: {
    readonly rows: number;
    /** Lines are as high as their text needs. */
    readonly isWrapped: boolean;
    /** The line that is pointed at, from 1. */
    readonly start: number | undefined;
  },
): Virtualizer<HTMLDivElement, Element> {
  const list = useVirtualizer<HTMLDivElement, Element>({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 24,
  });
  const isThere = rows > 0;
  useEffect(() => {
    if (isThere && start !== undefined) list.scrollToIndex(Math.max(0, start - 1 - ABOVE), { align: "start" });
  }, [list, isThere, start]);
  useEffect(() => {
    if (!isWrapped) list.measure();
  }, [list, isWrapped]);
  return list;
}

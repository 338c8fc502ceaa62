import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** What a person moves the view with. */
const OWN_MOVES = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * Begins at a row, -1 being the end, and goes to the end with each message that is sent. Rows before the first one shown get
 * their heights one by one, so the row is held where it is until the person moves.
 */
export function useStart(
  list: Pick<Virtualizer<HTMLDivElement, Element>, "scrollToEnd" | "scrollToIndex">,
  {
    scroller,
    follow,
    begun,
    sent,
    startsAt,
    height,
  }: {
    readonly scroller: RefObject<HTMLDivElement | null>;
    readonly follow: () => void;
    readonly begun: boolean;
    readonly sent: number;
    readonly startsAt: number;
    /** Of all rows, as far as they are measured. */
    readonly height: number;
  },
): void {
  const isHeld = useRef(true);
  useEffect(() => {
    const region = scroller.current;
    const release = (): void => {
      isHeld.current = false;
    };
    for (const move of OWN_MOVES) region?.addEventListener(move, release, { passive: true });
    return () => {
      for (const move of OWN_MOVES) region?.removeEventListener(move, release);
    };
  }, [scroller]);
  useLayoutEffect(() => {
    if (startsAt !== -1 || (!begun && sent === 0)) return;
    follow();
    list.scrollToEnd();
  }, [list, follow, begun, sent, startsAt]);
  useLayoutEffect(() => {
    if (startsAt !== -1 && height > 0 && isHeld.current) list.scrollToIndex(startsAt, { align: "start" });
  }, [list, startsAt, height]);
}

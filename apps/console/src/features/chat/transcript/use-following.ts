import { type RefObject, useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** Pixels from the end within which scrolling down means to read on there. */
export const NEAR_END = 80;

/** Whether the view follows what is added at the end. */
export interface Following {
  readonly isFollowing: boolean;
  /** The end is in sight. */
  readonly isNearEnd: boolean;
  /** Looks where the view is now; to be called when it scrolls and when its content changes. */
  readonly look: () => void;
  /** Follows again: the person asked for the end. */
  readonly follow: () => void;
}

/**
 * The view follows the end until a person scrolls up, be it by a pixel, and again once they scroll back there. What is
 * added meanwhile never moves it.
 */
export function useFollowing(scroller: RefObject<HTMLElement | null>): Following {
  const [isFollowing, setFollowing] = useState(true);
  const [isNearEnd, setNearEnd] = useState(true);
  const last = useRef({ top: 0, height: 0 });
  const look = useCallback(() => {
    const view = scroller.current;
    if (view === null) return;
    const { scrollTop: top, scrollHeight: height, clientHeight } = view;
    const distance = height - top - clientHeight;
    // Content that became shorter moves the view up too.
    const isUp = top < last.current.top && height >= last.current.height && distance > 1;
    const isDown = top > last.current.top;
    last.current = { top, height };
    setNearEnd(distance <= NEAR_END);
    // At once: what arrives in this frame would pull the view back.
    if (isUp) flushSync(() => setFollowing(false));
    else if ((isDown && distance <= NEAR_END) || distance <= 1) setFollowing(true);
  }, [scroller]);
  return { isFollowing, isNearEnd, look, follow: useCallback(() => setFollowing(true), []) };
}

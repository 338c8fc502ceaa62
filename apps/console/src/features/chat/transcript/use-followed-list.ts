import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
} from "react";
import type { TurnRow } from "./shown-turns.ts";
import { type Following, NEAR_END, useFollowing } from "./use-following.ts";
import { useStart } from "./use-start.ts";
import { reachRow, useTurnKeys } from "./use-turn-keys.ts";

/** Rows from the start at which older ones are read. */
const NEAR_START = 4;
const GUESSED_HEIGHT = 180;

/** What leads through the list from outside. */
export interface ListHandle {
  /** Scrolls to the row at a position; its element once it is drawn. */
  readonly reach: (index: number, signal: AbortSignal) => Promise<HTMLElement | undefined>;
  /** The element that scrolls. */
  readonly view: () => HTMLElement | null;
}

/** The rows of a list, and what moves it. */
export interface FollowedListProps {
  readonly rows: readonly TurnRow[];
  /** The turn that is shown first; undefined: the end. */
  readonly start: string | undefined;
  /** Number of messages the person sent: at each the view scrolls to the end. */
  readonly sent: number;
  readonly hasOlder: boolean;
  readonly onOlder: () => void;
  readonly handle?: Ref<ListHandle>;
}

/** A list of which only the rows in sight are drawn. */
export interface FollowedList extends Pick<Following, "isFollowing" | "isNearEnd" | "look"> {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly list: Virtualizer<HTMLDivElement, Element>;
  readonly toEnd: () => void;
  /** What the list does with a key. */
  readonly pressed: (event: KeyboardEvent) => void;
}

/** The list of a conversation's turns, which follows its end while a person reads there. */
export function useFollowedList({ rows, start, sent, hasOlder, onOlder, handle }: FollowedListProps): FollowedList {
  const scroller = useRef<HTMLDivElement>(null);
  const { isFollowing, isNearEnd, look, follow } = useFollowing(scroller);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => GUESSED_HEIGHT,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    // The first render shows the end, not the beginning.
    initialOffset: () => rows.length * GUESSED_HEIGHT,
    anchorTo: "end",
    followOnAppend: isFollowing,
    // No view is that near: it is not moved.
    scrollEndThreshold: isFollowing ? NEAR_END : -1,
    overscan: 4,
    paddingStart: 16,
    paddingEnd: 24,
  });
  const begun = rows.length > 0;
  const startsAt = start === undefined || sent > 0 ? -1 : rows.findIndex(({ task }) => task === start);
  const height = list.getTotalSize();
  useStart(list, { scroller, follow, begun, sent, startsAt, height });
  useEffect(look, [look, height]);
  const first = list.getVirtualItems()[0]?.index;
  useEffect(() => {
    if (hasOlder && first !== undefined && first < NEAR_START) onOlder();
  }, [hasOlder, first, onOlder]);
  const pressed = useTurnKeys(list, scroller, rows.length);
  useImperativeHandle(
    handle,
    () => ({
      reach: async (index, signal) =>
        scroller.current === null ? undefined : reachRow(list, scroller.current, index, signal),
      view: () => scroller.current,
    }),
    [list],
  );
  const toEnd = useCallback(() => {
    follow();
    list.scrollToEnd({ behavior: "auto" });
  }, [list, follow]);
  return { scroller, list, isFollowing, isNearEnd, look, toEnd, pressed };
}

import type { ReactElement, ReactNode } from "react";
import { ScrollRegion } from "../../../ui/index.ts";
import { BelowMarker } from "./below-marker.tsx";
import type { TurnRow } from "./shown-turns.ts";
import { type FollowedListProps, useFollowedList } from "./use-followed-list.ts";

/** What the list of turns is rendered from. */
export interface MessageListProps extends FollowedListProps {
  readonly children: (row: TurnRow) => ReactNode;
}

/**
 * The turns of a conversation, of which only the visible ones are rendered. The view follows the end while a person reads
 * there, and stays where it is otherwise; older rows that are added before do not move it.
 */
export function MessageList(props: MessageListProps): ReactElement {
  const { rows, children } = props;
  const { scroller, list, isFollowing, isNearEnd, look, toEnd, pressed } = useFollowedList(props);
  const items = list.getVirtualItems();
  const height = list.getTotalSize();
  const index = rows.length - 1;
  const end = { key: rows.at(-1)?.key, index, size: list.measurementsCache[index]?.size ?? 0 };
  return (
    <div className="relative min-h-0 flex-1">
      <ScrollRegion
        ref={scroller}
        // A gutter on both sides keeps the column where the composer's is, with or without a scrollbar. A ground of its own
        // lets the browser move what it has drawn when the view scrolls, instead of drawing all of it again.
        className="@container h-full overflow-y-auto bg-ground [overflow-anchor:none] [scrollbar-gutter:stable_both-edges]"
        role="log"
        label="Conversation"
        aria-live="off"
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onScroll={look}
        onKeyDown={pressed}
      >
        <div className="relative mx-auto w-full max-w-[49.5rem] px-4" style={{ height }}>
          {items.map((item) => {
            const row = rows[item.index];
            return (
              <div
                key={item.key}
                ref={list.measureElement}
                data-index={item.index}
                // Led to by keys.
                tabIndex={-1}
                className="absolute inset-x-4 rounded-md pb-8 outline-offset-4"
                style={{ transform: `translateY(${item.start}px)`, top: 0 }}
              >
                {row !== undefined && children(row)}
              </div>
            );
          })}
        </div>
      </ScrollRegion>
      {(!isFollowing || !isNearEnd) && (
        <BelowMarker
          end={end}
          rowAt={(key) => rows.findIndex((row) => row.key === key)}
          isNear={isNearEnd}
          onPress={toEnd}
        />
      )}
    </div>
  );
}

import type { Virtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useCallback, useMemo, useRef } from "react";
import { useCommands } from "../../../commands/index.ts";

type List = Virtualizer<HTMLDivElement, Element>;

/** Frames after which a row is not waited for: ten seconds, so that a busy machine gets there too. */
const MOST_FRAMES = 600;

/**
 * Scrolls to the row at a position and gives it back once it is drawn; undefined where it does not come, the person
 * scrolls meanwhile, or the signal gives it up.
 */
export async function reachRow(
  list: List,
  view: HTMLElement,
  index: number,
  signal: AbortSignal,
): Promise<HTMLElement | undefined> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  const ended = AbortSignal.any([own.signal, signal]);
  for (const event of ["wheel", "touchmove"]) view.addEventListener(event, stop, { passive: true, signal: ended });
  try {
    list.scrollToIndex(index, { align: "start" });
    let before: number | undefined;
    for (let frame = 0; frame < MOST_FRAMES; frame++) {
      await new Promise(requestAnimationFrame);
      if (ended.aborted) return undefined;
      const row = view.querySelector<HTMLElement>(`[data-index="${index}"]`);
      if (row === null) continue;
      const offset = row.getBoundingClientRect().top - view.getBoundingClientRect().top;
      // Rows measured on the way move the others: until it stands still in sight, it is asked for again.
      if (offset === before && offset < view.clientHeight && offset > -row.clientHeight) return row;
      before = offset;
      list.scrollToIndex(index, { align: "start" });
    }
    return undefined;
  } finally {
    stop();
  }
}

/**
 * Leads from turn to turn, which gets the focus: by J and K anywhere but in a text, and by Alt with an arrow key in the
 * conversation. Returns what the conversation does with a key.
 */
export function useTurnKeys(
  list: List,
  scroller: RefObject<HTMLElement | null>,
  count: number,
): (event: KeyboardEvent) => void {
  const goingTo = useRef<number>(undefined);
  const going = useRef<AbortController>(undefined);
  const step = useCallback(
    (by: number): void => {
      const view = scroller.current;
      if (view === null || count === 0) return;
      const index = Math.min(Math.max((goingTo.current ?? currentIndex(view)) + by, 0), count - 1);
      goingTo.current = index;
      going.current?.abort();
      going.current = new AbortController();
      const { signal } = going.current;
      void reachRow(list, view, index, signal).then((row) => {
        // A further press leads on from there.
        if (signal.aborted) return;
        goingTo.current = undefined;
        row?.focus({ preventScroll: true });
      });
    },
    [list, scroller, count],
  );
  useCommands(
    useMemo(
      () => [
        { id: "turn-next", label: "Go to the next turn", keys: "j", group: "Chat", run: () => step(1) },
        { id: "turn-before", label: "Go to the turn before", keys: "k", group: "Chat", run: () => step(-1) },
      ],
      [step],
    ),
  );
  return (event) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    step(event.key === "ArrowUp" ? -1 : 1);
  };
}

/** Position of the turn with the focus, else of the first one that begins in sight. */
function currentIndex(view: HTMLElement): number {
  const rows = [...view.querySelectorAll<HTMLElement>("[data-index]")];
  const { top } = view.getBoundingClientRect();
  const focused = rows.find((row) => row.contains(document.activeElement));
  const inSight = rows
    .toSorted((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
    .find((row) => row.getBoundingClientRect().bottom > top + 24);
  return Number((focused ?? inSight)?.dataset.index ?? 0);
}

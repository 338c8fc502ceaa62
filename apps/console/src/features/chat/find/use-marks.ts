import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { ListHandle } from "../transcript/use-followed-list.ts";
import { placesAround, rangeOf, textPlaces } from "./text-ranges.ts";
import "./marks.css";

/** Frames within which a turn that came into sight has drawn its text. */
const MOST_FRAMES = 60;
/** Occurrences that are marked, around the present one: tens of thousands keep the browser busy for seconds. */
const MOST_MARKED = 1_000;

/**
 * Marks a text wherever it stands in the turns that are drawn, without changing them. Returns a function that leads to an
 * occurrence of a row, counted from the row's end, and marks it as the present one.
 */
export function useMarks(
  list: RefObject<ListHandle | null>,
  text: string,
): (row: HTMLElement, fromEnd: number) => Promise<void> {
  const now = useRef<Range>(undefined);
  useEffect(() => {
    const view = list.current?.view();
    if (view === undefined || view === null || !("highlights" in CSS)) return;
    let frame = 0;
    const mark = (): void => {
      markIn(view, text, now.current);
    };
    const soon = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    };
    soon();
    const observer = new MutationObserver(soon);
    observer.observe(view, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete("found");
      CSS.highlights.delete("found-now");
      now.current = undefined;
    };
  }, [list, text]);
  return useCallback(
    async (row, fromEnd) => {
      const view = list.current?.view();
      if (view === undefined || view === null) return;
      let places = textPlaces(row, text);
      for (let frame = 0; places.length <= fromEnd && frame < MOST_FRAMES; frame++) {
        await new Promise(requestAnimationFrame);
        places = textPlaces(row, text);
      }
      // Where less is shown than is stored, such as the address of a link, the turn's first one stands for it.
      const place = places.at(-1 - fromEnd) ?? places[0];
      const range = place && rangeOf(place);
      now.current = range;
      if (range === undefined) return;
      if ("highlights" in CSS) markIn(view, text, range);
      const { top } = range.getBoundingClientRect();
      view.scrollTop += top - view.getBoundingClientRect().top - view.clientHeight / 3;
    },
    [list, text],
  );
}

function markIn(view: HTMLElement, text: string, now: Range | undefined): void {
  const places = placesAround(textPlaces(view, text), now, MOST_MARKED);
  CSS.highlights.set("found", new Highlight(...places.map(rangeOf)));
  CSS.highlights.set("found-now", onTop(now));
}

function onTop(range: Range | undefined): Highlight {
  const mark = new Highlight(...(range === undefined ? [] : [range]));
  mark.priority = 1;
  return mark;
}

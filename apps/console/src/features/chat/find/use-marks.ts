import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { ListHandle } from "../transcript/use-followed-list.ts";
import { textRanges } from "./text-ranges.ts";
import "./marks.css";

/** Frames within which a turn that came into sight has drawn its text. */
const MOST_FRAMES = 60;

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
      const { current } = now;
      CSS.highlights.set("found", new Highlight(...textRanges(view, text)));
      CSS.highlights.set("found-now", onTop(current));
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
      let ranges = textRanges(row, text);
      for (let frame = 0; ranges.length <= fromEnd && frame < MOST_FRAMES; frame++) {
        await new Promise(requestAnimationFrame);
        ranges = textRanges(row, text);
      }
      // Where less is shown than is stored, such as the address of a link, the turn's first one stands for it.
      const range = ranges.at(-1 - fromEnd) ?? ranges[0];
      now.current = range;
      if (range === undefined) return;
      if ("highlights" in CSS) CSS.highlights.set("found-now", onTop(range));
      const { top } = range.getBoundingClientRect();
      view.scrollTop += top - view.getBoundingClientRect().top - view.clientHeight / 3;
    },
    [list, text],
  );
}

function onTop(range: Range | undefined): Highlight {
  const mark = new Highlight(...(range === undefined ? [] : [range]));
  mark.priority = 1;
  return mark;
}

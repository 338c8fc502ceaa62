import { type RefObject, useEffect, useRef } from "react";

/** The style of the box does it then; the script below would lay out the page with every key. */
const growsByItself = (): boolean => CSS.supports("field-sizing", "content");

/** A text box that grows with its text, up to the `max-height` of its style; focused once, except on a phone. */
export function useGrowingBox(text: string): RefObject<HTMLTextAreaElement | null> {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const area = box.current;
    if (area === null || growsByItself()) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [text]);
  useEffect(() => {
    // On a phone the keyboard would cover the conversation that was opened.
    if (window.matchMedia("(min-width: 45rem)").matches) box.current?.focus({ preventScroll: true });
  }, []);
  return box;
}

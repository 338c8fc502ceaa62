import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useRef, useState } from "react";
import { Button, failureOf } from "../../../ui/index.ts";
import type { ReadConversation } from "../transcript/use-conversation.ts";
import type { ListHandle } from "../transcript/use-followed-list.ts";
import { useMarks } from "./use-marks.ts";
import { useMatches } from "./use-matches.ts";

/** Turns read at a time on the way to a match that this page has not read yet. */
const PAGE = 200;

/** Finds a text in the whole conversation. The last occurrence is the first shown; Enter leads to the one before. */
export default function FindBar({
  session,
  read,
  list,
  input,
  onClose,
}: {
  readonly session: string;
  readonly read: ReadConversation;
  readonly list: RefObject<ListHandle | null>;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
}): ReactElement {
  const [text, setText] = useState("");
  const [index, setIndex] = useState(0);
  const { total, at, error } = useMatches(session, text);
  const match = at(index);
  useReach(read, list, text, match);
  useEffect(() => input.current?.focus(), [input]);
  const step = (by: number): void => {
    if (total !== undefined && total > 0) setIndex((index + by + total) % total);
  };
  const pressed = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    // Pressed once more it is the browser's own.
    if (key === "f" && (ctrlKey || metaKey)) event.stopPropagation();
    if (key === "Enter") step(shiftKey ? -1 : 1);
    if (key !== "Escape") return;
    event.preventDefault();
    onClose();
  };
  return (
    <search
      onKeyDown={pressed}
      className="absolute top-2 right-3 z-10 flex w-[min(26rem,calc(100%-1.5rem))] items-center gap-1 rounded-lg border border-line bg-raised py-1 pr-1 pl-3 shadow-float"
    >
      <input
        ref={input}
        type="text"
        aria-label="Find in this conversation"
        placeholder="Find in this conversation"
        maxLength={200}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIndex(0);
        }}
        className="min-w-0 flex-1 bg-transparent py-1 text-base outline-none placeholder:text-ink-soft"
      />
      <span role="status" className="shrink-0 px-1 text-sm text-ink-soft tabular-nums">
        {text.trim() !== "" && (error === null ? placeOf(index, total) : failureOf(error).message)}
      </span>
      <Button kind="quiet" icon small aria-label="Earlier match" title="Earlier (Enter)" onClick={() => step(1)}>
        <ChevronUp aria-hidden className="size-4" />
      </Button>
      <Button kind="quiet" icon small aria-label="Later match" title="Later (Shift Enter)" onClick={() => step(-1)}>
        <ChevronDown aria-hidden className="size-4" />
      </Button>
      <Button kind="quiet" icon small aria-label="Close" title="Close (Esc)" onClick={onClose}>
        <X aria-hidden className="size-4" />
      </Button>
    </search>
  );
}

function placeOf(index: number, total: number | undefined): string {
  if (total === undefined) return "Searching…";
  return total === 0 ? "Not found" : `${index + 1} of ${total}`;
}

/** Leads to a match, once: where its turn is not read yet, everything down to it is read first. */
function useReach(
  { rows, history, readOlder, readingOlder }: ReadConversation,
  list: RefObject<ListHandle | null>,
  text: string,
  match: ReturnType<ReturnType<typeof useMatches>["at"]>,
): void {
  const show = useMarks(list, text);
  const reached = useRef("");
  const { task, fromEnd = 0 } = match ?? {};
  const row = task === undefined ? -1 : rows.findIndex((one) => one.task === task);
  const { older } = history;
  useEffect(() => {
    const wanted = `${text}\n${task}\n${fromEnd}`;
    if (task === undefined || reached.current === wanted) return;
    if (row === -1) {
      if (typeof older === "string" && !readingOlder) readOlder(PAGE);
      return;
    }
    // Turns that are put before it on the way move it: it is gone to anew, and counts as reached once it is in sight.
    const moved = new AbortController();
    void list.current?.reach(row, moved.signal).then((element) => {
      if (element === undefined || moved.signal.aborted) return;
      reached.current = wanted;
      return show(element, fromEnd);
    });
    return () => moved.abort();
  }, [text, task, fromEnd, row, older, readingOlder, readOlder, list, show]);
}

import { Quote } from "lucide-react";
import { type ReactElement, useEffect, useMemo, useState } from "react";
import { useCommands } from "../../../commands/index.ts";

/** Marks what can be quoted: the text of an answer. */
export const QUOTABLE = { "data-quotable": "" };

/** A selection within one answer, and where it ends on the screen. */
interface Selected {
  readonly text: string;
  readonly top: number;
  readonly left: number;
}

/** A button beside a text that is selected in an answer: it puts the text into the message box as a quotation. */
export function QuoteSelection({ onQuote }: { readonly onQuote: (text: string) => void }): ReactElement | null {
  const [selected, setSelected] = useState<Selected>();
  useEffect(() => {
    const changed = (): void => setSelected(selectedAnswer());
    const hide = (): void => setSelected(undefined);
    document.addEventListener("selectionchange", changed);
    // It stands still on the screen while what it belongs to moves.
    document.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener("selectionchange", changed);
      document.removeEventListener("scroll", hide, { capture: true });
    };
  }, []);
  const text = selected?.text;
  const quote = useMemo(() => {
    if (text === undefined) return undefined;
    return () => {
      onQuote(text);
      document.getSelection()?.removeAllRanges();
    };
  }, [text, onQuote]);
  useCommands(
    useMemo(
      () =>
        quote === undefined ? [] : [{ id: "chat-quote", label: "Quote the selection", group: "Chat", run: quote }],
      [quote],
    ),
  );
  if (selected === undefined) return null;
  return (
    <button
      type="button"
      // Pressing it must not take the selection away before it is read.
      onPointerDown={(event) => event.preventDefault()}
      onClick={quote}
      style={{ top: selected.top, left: selected.left }}
      className="fixed z-40 flex min-h-8 -translate-x-1/2 items-center gap-1.5 rounded-md border border-line bg-raised px-2.5 text-sm font-medium shadow-float hover:bg-hover"
    >
      <Quote aria-hidden className="size-4" /> Quote
    </button>
  );
}

function selectedAnswer(): Selected | undefined {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const answer = answerOf(selection.anchorNode);
  const text = selection.toString().trim();
  if (answer === undefined || answer !== answerOf(selection.focusNode) || text === "") return undefined;
  const { bottom, left, right } = selection.getRangeAt(0).getBoundingClientRect();
  return {
    text,
    top: Math.min(bottom + 6, window.innerHeight - 48),
    left: Math.min(Math.max((left + right) / 2, 60), window.innerWidth - 60),
  };
}

function answerOf(node: Node | null): Element | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest("[data-quotable]") ?? undefined;
}

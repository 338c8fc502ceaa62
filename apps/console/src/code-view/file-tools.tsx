import { RefreshCw, WrapText } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { CopyButton } from "../markdown/index.ts";
import { Button, boxClass, classNames } from "../ui/index.ts";
import { type CodePlace, type LineRange, linesWords, parseLines } from "./code-place.ts";

/** What one does with a file that is shown: go to a line, wrap, copy its address, read it again. */
export function FileTools({
  place: { lines },
  facts,
  address,
  most,
  isWrapped,
  setWrapped,
  isReading,
  onReadAgain,
  onLines,
  tools,
}: {
  readonly place: CodePlace;
  /** Lines, size, language. */
  readonly facts: string;
  /** Of the file, or of its lines that are chosen. */
  readonly address: string;
  /** The last line that can be gone to; 0: there are no lines. */
  readonly most: number;
  readonly isWrapped: boolean;
  readonly setWrapped: (isWrapped: boolean) => void;
  readonly isReading: boolean;
  readonly onReadAgain: () => void;
  readonly onLines: (lines: LineRange) => void;
  readonly tools: ReactNode;
}): ReactElement {
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1 text-sm text-ink-soft">
      <span className="min-w-0 tabular-nums">{facts}</span>
      <div className="ml-auto flex flex-wrap items-center gap-1">
        {tools}
        {most > 0 && <GoToLine most={most} onLines={onLines} />}
        {most > 0 && (
          <Button
            kind="quiet"
            icon
            small
            aria-label="Wrap lines"
            title="Wrap lines"
            aria-pressed={isWrapped}
            className={classNames(isWrapped && "bg-accent-soft text-accent")}
            onClick={() => setWrapped(!isWrapped)}
          >
            <WrapText aria-hidden className="size-4" />
          </Button>
        )}
        <CopyButton
          text={new URL(address, window.location.href).href}
          label={`Copy the address of ${lines === undefined ? "the file" : linesWords(lines)}`}
        />
        <Button kind="quiet" icon small aria-label="Read again" title="Read again" onClick={onReadAgain}>
          <RefreshCw aria-hidden className={classNames("size-4", isReading && "animate-spin")} />
        </Button>
      </div>
    </div>
  );
}

function GoToLine({
  most,
  onLines,
}: {
  readonly most: number;
  readonly onLines: (lines: LineRange) => void;
}): ReactElement {
  const [text, setText] = useState("");
  const wanted = parseLines(text.trim());
  return (
    <form
      className="w-18"
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted === undefined) return;
        const within = (no: number): number => Math.min(no, most);
        onLines({ start: within(wanted.start), end: within(wanted.end) });
      }}
    >
      <input
        aria-label="Go to line"
        placeholder="Line"
        title="A line, or lines such as 12-20, then Enter"
        inputMode="numeric"
        autoComplete="off"
        maxLength={19}
        value={text}
        aria-invalid={(text !== "" && wanted === undefined) || undefined}
        onChange={({ target }) => setText(target.value)}
        className={classNames(boxClass, "min-h-7 py-0.5 text-sm")}
      />
    </form>
  );
}

import type { MouseEvent, ReactElement, Ref } from "react";
import { classNames } from "../ui/index.ts";
import type { LineRange } from "./code-place.ts";
import type { FileLine } from "./use-file-lines.ts";

/** A line with its number, which is a link to it. */
export function LineRow({
  index,
  top,
  digits,
  line,
  chosen,
  href,
  isWrapped,
  onLines,
  ref,
}: {
  /** From 0. */
  readonly index: number;
  /** Pixels from the beginning of the file. */
  readonly top: number;
  /** Of the largest number. */
  readonly digits: number;
  readonly line: FileLine | undefined;
  readonly chosen: LineRange | undefined;
  readonly href: string;
  readonly isWrapped: boolean;
  readonly onLines: (lines: LineRange) => void;
  readonly ref: Ref<HTMLDivElement> | undefined;
}): ReactElement {
  const no = index + 1;
  const isChosen = chosen !== undefined && no >= chosen.start && no <= chosen.end;
  const choose = (event: MouseEvent): void => {
    // With one of these keys a browser opens the address elsewhere.
    if (event.metaKey || event.ctrlKey || event.button !== 0) return;
    event.preventDefault();
    const from = event.shiftKey && chosen !== undefined ? chosen.start : no;
    onLines({ start: Math.min(from, no), end: Math.max(from, no) });
  };
  return (
    <div
      ref={ref}
      data-index={index}
      data-chosen={isChosen || undefined}
      style={{ transform: `translateY(${top}px)` }}
      className={classNames(
        "absolute top-0 left-0 flex min-h-5 min-w-full font-mono text-sm leading-5",
        isWrapped && "w-full",
        isChosen && "bg-accent-soft",
      )}
    >
      <a
        href={href}
        tabIndex={-1}
        aria-label={`Line ${no}`}
        onClick={choose}
        style={{ width: `${digits + 3}ch` }}
        className={classNames(
          "sticky left-0 shrink-0 border-r pr-[1ch] text-right tabular-nums select-none",
          isChosen
            ? "border-accent bg-accent-soft font-semibold text-accent"
            : "border-line bg-ground text-ink-soft hover:text-accent",
        )}
      >
        {no}
      </a>
      <span className={classNames("px-3", isWrapped ? "min-w-0 flex-1 whitespace-pre-wrap" : "whitespace-pre")}>
        {typeof line === "string" || line === undefined
          ? line
          : line.map(({ content, color }, at) => (
              <span key={at} style={color === undefined ? undefined : { color }}>
                {content}
              </span>
            ))}
      </span>
    </div>
  );
}

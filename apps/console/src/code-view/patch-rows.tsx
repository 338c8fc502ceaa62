import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, useRef } from "react";
import { classNames, ScrollRegion } from "../ui/index.ts";
import type { PatchLine } from "./patch-lines.ts";

const LINE_HEIGHT = 20;
const LOOKS: { readonly [TKind in PatchLine["kind"]]: readonly [sign: string, look: string] } = {
  added: ["+", "bg-good-soft"],
  removed: ["−", "bg-bad-soft"],
  same: [" ", ""],
  hunk: [" ", "bg-sunken text-ink-soft"],
  note: [" ", "text-ink-soft italic"],
};

/** Lines of a difference with their numbers before and after; only those in sight are drawn. */
export function PatchRows({
  lines,
  label,
}: {
  readonly lines: readonly PatchLine[];
  readonly label: string;
}): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 24,
  });
  const largest = lines.reduce((most, { before = 0, after = 0 }) => Math.max(most, before, after), 0);
  const width = { width: `${String(largest).length + 2}ch` };
  return (
    <ScrollRegion ref={scroller} label={label} className="min-h-0 flex-1 overflow-auto">
      <div className="relative w-full" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const { kind, before, after, text } = lines[index]!;
          const [sign, look] = LOOKS[kind];
          return (
            <div
              key={index}
              style={{ transform: `translateY(${start}px)` }}
              className={classNames(
                "absolute top-0 left-0 flex min-h-5 min-w-full font-mono text-sm leading-5 whitespace-pre",
                look,
              )}
            >
              {[before, after].map((no, side) => (
                <span
                  key={side}
                  style={width}
                  className="shrink-0 pr-[1ch] text-right text-ink-soft tabular-nums select-none"
                >
                  {no}
                </span>
              ))}
              <span className="w-[3ch] shrink-0 text-center select-none">{sign}</span>
              <span className="pr-4">{text}</span>
            </div>
          );
        })}
      </div>
    </ScrollRegion>
  );
}

import { type ReactElement, useMemo } from "react";
import { classNames, count, ScrollRegion } from "../ui/index.ts";
import { type PatchLine, readPatch } from "./read-patch.ts";
import { useColouredLines } from "./use-coloured-lines.ts";

/** Lines of a difference that are drawn; the rest is counted. */
const MOST_LINES = 2_000;

const LOOKS: { readonly [TKind in PatchLine["kind"]]: readonly [sign: string, look: string, label: string] } = {
  file: ["", "pt-1 font-medium", ""],
  hunk: ["", "text-ink-soft", ""],
  same: [" ", "", ""],
  added: ["+", "bg-good-soft", "added: "],
  removed: ["-", "bg-bad-soft", "removed: "],
  note: ["", "text-ink-soft", ""],
};

/** A unified diff with numbers and in colours. A change is a sign and a text, not only a colour. */
export function PatchView({ patch, label }: { readonly patch: string; readonly label: string }): ReactElement {
  const { shown, more } = useMemo(() => {
    const lines = readPatch(patch);
    return { shown: lines.slice(0, MOST_LINES), more: lines.length - MOST_LINES };
  }, [patch]);
  const coloured = useColouredLines(shown);
  // Of one file its name stands beside the difference.
  const isOne = shown.filter(({ kind }) => kind === "file").length <= 1 && more <= 0;
  return (
    <ScrollRegion
      label={label}
      className="code-block max-h-96 overflow-auto rounded-md border border-line bg-sunken py-1"
    >
      <div className="w-max min-w-full font-mono text-sm">
        {shown.map((line, at) => {
          if (isOne && line.kind === "file") return null;
          const [sign, look, name] = LOOKS[line.kind];
          return (
            <p
              key={String(at)}
              data-line={line.number}
              className={classNames(
                "min-h-[1.4em] px-3 whitespace-pre before:mr-3 before:inline-block before:w-9 before:text-right before:text-ink-soft before:content-[attr(data-line)] max-list:before:hidden",
                look,
              )}
            >
              {name !== "" && <span className="sr-only">{name}</span>}
              {sign}
              {coloured.get(line)?.map(({ content, color }, index) => (
                <span key={String(index)} style={color === undefined ? undefined : { color }}>
                  {content}
                </span>
              )) ?? line.text}
            </p>
          );
        })}
        {more > 0 && <p className="px-3 text-ink-soft">{count(more)} more lines are not shown</p>}
      </div>
    </ScrollRegion>
  );
}

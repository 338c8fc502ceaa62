import type { ReactElement } from "react";
import { classNames, ScrollRegion } from "../../../ui/index.ts";

/** Lines of a difference that are drawn. */
const MOST_LINES = 2_000;

/** The difference of one file, line by line. A change is a sign and a text, not only a colour. */
export function PatchView({ patch, label }: { readonly patch: string; readonly label: string }): ReactElement {
  const all = patch.replace(/\n$/, "").split("\n");
  const lines = all.slice(all.findIndex((line) => line.startsWith("@@")));
  const shown = lines.slice(0, MOST_LINES);
  return (
    <ScrollRegion
      label={label}
      className="max-h-80 overflow-auto rounded-md border border-line bg-sunken py-1 font-mono text-sm"
    >
      {shown.map((line, index) => (
        <p key={index} className={classNames("min-h-[1.4em] px-3 whitespace-pre", lookOf(line))}>
          {line}
        </p>
      ))}
      {lines.length > MOST_LINES && <p className="px-3 text-ink-soft">There is more than is shown.</p>}
    </ScrollRegion>
  );
}

function lookOf(line: string): string | undefined {
  if (line.startsWith("+")) return "bg-good-soft";
  if (line.startsWith("-")) return "bg-bad-soft";
  return line.startsWith("@@") ? "text-ink-soft" : undefined;
}

import { type ReactElement, useMemo } from "react";
import { classNames, count } from "../../ui/index.ts";
import { type DiffRow, lineDiff } from "./line-diff.ts";
import { lowered } from "./prompt-messages.tsx";

const LOOKS = {
  same: { sign: " ", label: undefined, row: undefined },
  added: { sign: "+", label: "added: ", row: "bg-good-soft" },
  removed: { sign: "−", label: "removed: ", row: "bg-bad-soft" },
} as const;

/** How the instructions of one call differ from another's. A change is a sign and a text, not only a colour. */
export function PromptDiff({
  before,
  after,
  beforeName,
}: {
  readonly before: string;
  readonly after: string;
  readonly beforeName: string;
}): ReactElement {
  const { rows, added, removed } = useMemo(() => lineDiff(before, after), [before, after]);
  if (added + removed === 0) return <p>The instructions are the same as in {lowered(beforeName)}.</p>;
  return (
    <section aria-label="Instructions" className="flex flex-col gap-1.5">
      <h3 className="flex flex-wrap gap-x-3 font-semibold">
        Instructions, against {lowered(beforeName)}
        <span className="font-normal text-ink-soft">
          {count(added)} lines added, {count(removed)} removed
        </span>
      </h3>
      <div className="overflow-hidden rounded-md border border-line bg-sunken py-1 font-mono text-sm">
        {rows.map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </div>
    </section>
  );
}

function Row({ row }: { readonly row: DiffRow }): ReactElement {
  if (row.kind === "fold") {
    return <p className="px-3 py-1 text-ink-soft">⋯ {count(row.lines)} lines are the same</p>;
  }
  const { sign, label, row: look } = LOOKS[row.kind];
  return (
    <p className={classNames("flex gap-2 px-3", look)}>
      <span aria-hidden className="w-3 shrink-0 select-none">
        {sign}
      </span>
      <span className="min-h-[1.4em] min-w-0 whitespace-pre-wrap">
        {label !== undefined && <span className="sr-only">{label}</span>}
        {row.text}
      </span>
    </p>
  );
}

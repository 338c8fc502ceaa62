import { diffLines } from "diff";

/** A row of a difference. */
export type DiffRow =
  | { readonly kind: "same" | "added" | "removed"; readonly text: string }
  | { readonly kind: "fold"; readonly lines: number };

/** The difference of two texts. */
export interface LineDiff {
  readonly rows: readonly DiffRow[];
  readonly added: number;
  readonly removed: number;
}

/** Changed lines beyond which two texts count as wholly different: the search for the shortest difference grows with its square. */
const MOST_EDITS = 4_000;
/** Unchanged lines shown beside a change. */
const CONTEXT = 3;

/** The difference of two texts, line by line; long runs without a change are folded. */
export function lineDiff(before: string, after: string): LineDiff {
  const changes = diffLines(ended(before), ended(after), { maxEditLength: MOST_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const rows: DiffRow[] = [];
  let added = 0;
  let removed = 0;
  changes.forEach(({ value, added: isAdded, removed: isRemoved }, index) => {
    const lines = linesOf(value);
    if (isAdded) added += lines.length;
    if (isRemoved) removed += lines.length;
    if (isAdded || isRemoved) {
      for (const text of lines) rows.push({ kind: isAdded ? "added" : "removed", text });
    } else {
      rows.push(...folded(lines, index > 0 ? CONTEXT : 0, index < changes.length - 1 ? CONTEXT : 0));
    }
  });
  return { rows, added, removed };
}

function folded(lines: readonly string[], head: number, tail: number): readonly DiffRow[] {
  const same = (text: string): DiffRow => ({ kind: "same", text });
  const hidden = lines.length - head - tail;
  // A fold takes a row itself.
  if (hidden <= 1) return lines.map(same);
  return [
    ...lines.slice(0, head).map(same),
    { kind: "fold", lines: hidden },
    ...(tail === 0 ? [] : lines.slice(-tail)).map(same),
  ];
}

/** A last line without its end would differ from the same line with one. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function linesOf(text: string): readonly string[] {
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

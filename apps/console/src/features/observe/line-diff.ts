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

/** Changed lines beyond which two texts count as wholly different: the search for the shortest difference grows with its square, and 4,000 held the page for seconds. */
const MOST_EDITS = 1_000;
/** Unchanged lines shown beside a change. */
const CONTEXT = 3;

/** The difference of two texts, line by line; long runs without a change are folded. */
export function lineDiff(before: string, after: string): LineDiff {
  const changes = changesOf(ended(before), ended(after));
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

interface Change {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}

function changesOf(before: string, after: string): readonly Change[] {
  // What is the same at both ends costs nothing then: a text that was only added to may be of any length.
  const [head, tail] = commonEnds(before, after);
  const [old, now] = [before, after].map((text) => text.slice(head, text.length - tail)) as [string, string];
  const middle = diffLines(old, now, { maxEditLength: MOST_EDITS }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ];
  const same = (value: string): Change => ({ value, added: false, removed: false });
  const all = [same(before.slice(0, head)), ...middle, same(before.slice(before.length - tail))];
  return all.filter(({ value }) => value !== "");
}

/** Characters of the whole lines that two texts begin and end with alike. */
function commonEnds(a: string, b: string): readonly [head: number, tail: number] {
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a[same] === b[same]) same++;
  const head = same === 0 ? 0 : a.lastIndexOf("\n", same - 1) + 1;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  // Where a line of the tail began earlier, it is not whole: the tail begins after that line's end.
  const start = a.length - tail;
  const isWhole = (text: string): boolean => text.length === tail + head || text[text.length - tail - 1] === "\n";
  if (tail === 0 || (isWhole(a) && isWhole(b))) return [head, tail];
  const end = a.indexOf("\n", start);
  return [head, end === -1 ? 0 : a.length - end - 1];
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

/** The end of what a command wrote. */
export interface OutputTail {
  readonly text: string;
  /** The beginning is left out. */
  readonly isCut: boolean;
}

/** Characters that are shown: more would keep the page busy. */
export const MOST_SHOWN = 64_000;

export const NOTHING: OutputTail = { text: "", isCut: false };

/** Adds a part; beyond the bound whole lines go at the beginning. */
export function withMore({ text, isCut }: OutputTail, part: string): OutputTail {
  const all = text + part;
  if (all.length <= MOST_SHOWN) return { text: all, isCut };
  const from = all.length - MOST_SHOWN;
  const line = all.indexOf("\n", from);
  return { text: all.slice(line < 0 ? from : line + 1), isCut: true };
}

const [ESCAPE, BELL] = [String.fromCodePoint(27), String.fromCodePoint(7)];
const ESCAPES = new RegExp(`${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${BELL}]*${BELL}|[@-Z\\\\^_])`, "g");

/** As a terminal shows it: without colours, and of a line that was written over what stands there at last. */
export function asShown(text: string): string {
  return text
    .replaceAll(ESCAPES, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.split("\r").findLast(Boolean) ?? "")
    .join("\n");
}

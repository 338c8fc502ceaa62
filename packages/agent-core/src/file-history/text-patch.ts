import { type StructuredPatchHunk, structuredPatch } from "diff";

/** Characters of a text that is compared. */
const MOST_COMPARED_CHARS = 1_048_576;
const MOST_EDITS = 2_000;
const COMPARE_MS = 2_000;

export interface TextPatch {
  readonly additions: number;
  readonly deletions: number;
  /** In the form of `git diff`. */
  readonly patch: string;
}

/**
 * The difference of two contents of a file; undefined of one: there is no file. Resolves with undefined where they are too
 * large, or too different, to be compared.
 */
export async function textPatch(
  path: string,
  old: string | undefined,
  now: string | undefined,
): Promise<TextPatch | undefined> {
  if ([old, now].some((text) => text !== undefined && text.length > MOST_COMPARED_CHARS)) return undefined;
  const hunks = await compare(old ?? "", now ?? "");
  if (hunks === undefined) return undefined;
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const [before, after] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const head = [`diff --git ${before} ${after}`];
  if (old === undefined) head.push("new file mode 100644");
  if (now === undefined) head.push("deleted file mode 100644");
  if (hunks.length > 0)
    head.push(`--- ${old === undefined ? "/dev/null" : before}`, `+++ ${now === undefined ? "/dev/null" : after}`);
  const body = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: shown }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...shown,
  ]);
  return { additions: count("+"), deletions: count("-"), patch: `${[...head, ...body].join("\n")}\n` };
}

/** Gives other work its turn between its steps; undefined: it takes too long. */
function compare(old: string, now: string): Promise<readonly StructuredPatchHunk[] | undefined> {
  return new Promise((resolve) => {
    structuredPatch("", "", old, now, undefined, undefined, {
      context: 3,
      maxEditLength: MOST_EDITS,
      timeout: COMPARE_MS,
      callback: (patch) => resolve(patch?.hunks),
    });
  });
}

/** A range without lines begins after the line before it. */
function range(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`;
}

/** As git shows a name that would not be read as one. */
function quoted(name: string): string {
  return /["\\\p{Cc}]/u.test(name) ? JSON.stringify(name) : name;
}

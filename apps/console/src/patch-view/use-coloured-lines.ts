import { startTransition, useEffect, useState } from "react";
import { type CodeToken, highlight } from "../markdown/index.ts";
import type { PatchLine } from "./read-patch.ts";

/** Characters of a difference that are coloured: more would keep the worker busy. */
const MOST_COLOURED = 30_000;

type Coloured = ReadonlyMap<PatchLine, readonly CodeToken[]>;
const NONE: ReadonlyMap<PatchLine, readonly CodeToken[]> = new Map();

/** The code of each line in its colours, as far as the language of its file is known; empty until then. */
export function useColouredLines(lines: readonly PatchLine[]): Coloured {
  const [known, setKnown] = useState<{ readonly of: readonly PatchLine[]; readonly coloured: Coloured }>();
  useEffect(() => {
    let isStopped = false;
    colour(lines)
      .then((coloured) => {
        if (!isStopped) startTransition(() => setKnown({ of: lines, coloured }));
      })
      .catch(() => {
        // The lines stay without colours.
      });
    return () => {
      isStopped = true;
    };
  }, [lines]);
  return known?.of === lines ? known.coloured : NONE;
}

async function colour(lines: readonly PatchLine[]): Promise<Coloured> {
  const coloured = new Map<PatchLine, readonly CodeToken[]>();
  if (lines.reduce((sum, { text }) => sum + text.length, 0) > MOST_COLOURED) return coloured;
  for (const { path, parts } of filesOf(lines)) {
    const language = /\.(\w+)$/.exec(path)?.[1];
    if (language === undefined) continue;
    // Each side of its own: a comment that was begun in a removed line does not go on in an added one.
    for (const left of ["added", "removed"] as const) {
      const side = parts.filter(({ kind }) => kind !== left);
      const tokens = await highlight(side.map(({ text }) => text).join("\n"), language);
      for (const [at, line] of side.entries()) if (tokens?.[at] !== undefined) coloured.set(line, tokens[at]);
    }
  }
  return coloured;
}

/** The lines of code by their file. */
function filesOf(lines: readonly PatchLine[]): readonly { readonly path: string; readonly parts: PatchLine[] }[] {
  const files: { readonly path: string; readonly parts: PatchLine[] }[] = [];
  for (const line of lines) {
    if (line.kind === "file") files.push({ path: line.text, parts: [] });
    else if (line.number !== undefined) files.at(-1)?.parts.push(line);
  }
  return files;
}

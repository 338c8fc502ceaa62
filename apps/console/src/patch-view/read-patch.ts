/** A line of a unified diff. */
export interface PatchLine {
  /** `file` begins the difference of a file, `hunk` a part of it; `note` is any other. */
  readonly kind: "file" | "hunk" | "same" | "added" | "removed" | "note";
  /** Without its sign. */
  readonly text: string;
  /** In the file as it would be; of a removed line in the file as it is. Absent for what is no line of a file. */
  readonly number?: number;
}

const SIGNS = { " ": "same", "+": "added", "-": "removed" } as const;

/** The lines of a unified diff, of each file its path, its hunks, and what else there is to know. */
export function readPatch(patch: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  // Lines left of the current hunk, of either side, and their numbers.
  const left = { old: 0, new: 0 };
  const at = { old: 0, new: 0 };
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const isInHunk = left.old > 0 || left.new > 0;
    const kind = isInHunk ? SIGNS[line.charAt(0) as keyof typeof SIGNS] : undefined;
    if (kind !== undefined) {
      const side = kind === "removed" ? "old" : "new";
      lines.push({ kind, text: line.slice(1), number: at[side] });
      for (const one of ["old", "new"] as const) {
        if (kind !== "same" && one !== side) continue;
        at[one]++;
        left[one]--;
      }
      continue;
    }
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      const [, oldAt, oldLines = "1", newAt, newLines = "1"] = hunk;
      Object.assign(at, { old: Number(oldAt), new: Number(newAt) });
      Object.assign(left, { old: Number(oldLines), new: Number(newLines) });
      lines.push({ kind: "hunk", text: line });
    } else if (line.startsWith("\\")) lines.push({ kind: "note", text: line.slice(2) });
    else if (/^(?:---|\+\+\+) /.test(line)) {
      const path = /^... [ab]\/(.+?)\t?$/.exec(line)?.[1];
      if (path !== undefined && lines.at(-1)?.text !== path) lines.push({ kind: "file", text: path });
    } else if (!/^(?:diff |index )/.test(line)) lines.push({ kind: "note", text: line });
  }
  return lines;
}

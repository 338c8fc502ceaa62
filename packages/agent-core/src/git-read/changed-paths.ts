/** What differs from the last commit, by name: which files, and whether git tracks them. */
export interface ChangedPath {
  /** From the top of the repository. */
  readonly path: string;
  readonly isTracked: boolean;
  /** A file lies there now. */
  readonly isThere: boolean;
  /** A merge left more than one version of it in the index. */
  readonly isUnmerged: boolean;
  /** The name is not UTF-8: `path` shows it and does not lead to it. */
  readonly isUnreadable: boolean;
}

/** Reads `git status --porcelain=v1 -z --no-renames`. An entry that was cut off at the end is left out. */
export function parseStatus(bytes: Buffer): ChangedPath[] {
  const changed: ChangedPath[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf(0, at);
    if (end === -1) return changed;
    const raw = bytes.subarray(at + 3, end);
    const state = bytes.toString("latin1", at, at + 2);
    const path = raw.toString();
    const isTracked = state !== "??";
    const isThere = state[1] === " " ? state[0] !== "D" : state[1] !== "D";
    const isUnmerged = state.includes("U") || state === "AA" || state === "DD";
    changed.push({ path, isTracked, isThere, isUnmerged, isUnreadable: !Buffer.from(path).equals(raw) });
    at = end + 1;
  }
}

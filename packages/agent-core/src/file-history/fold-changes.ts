/** What a number of changes came to: one difference per file, from what it first held to what it holds now (F16). */
import { join } from "node:path";
import { FenceRefusal } from "../fence/index.ts";
import { isBinary } from "../line-changes/index.ts";
import type { FileChange } from "./file-change.ts";
import type { FileHistory } from "./file-history.ts";
import { stateOf } from "./file-state.ts";
import { textPatch } from "./text-patch.ts";

/** One file, compared with what it first held. */
export interface FoldedFile {
  readonly project: string;
  readonly path: string;
  readonly status: "A" | "M" | "D";
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
  /** Its name is one of those that hold secrets. */
  readonly denied: boolean;
  /** Too large to be compared. */
  readonly tooLarge: boolean;
  /** Why there is no difference to show. */
  readonly reason: string | undefined;
}

/** What changes came to. */
export interface FoldedDiff {
  readonly files: readonly FoldedFile[];
  /** In the form of `git diff`. */
  readonly patch: string;
  /** Files or their differences were left out. */
  readonly truncated: boolean;
}

/** Entries, and characters of the patch. */
const MOST_FILES = 5_000;
const MOST_PATCH_CHARS = 1_048_576;

interface Folded {
  readonly file: FoldedFile;
  readonly patch: string;
}

/** Compares what changes began with and what is there now; a file that is as it was is left out. */
export async function foldChanges(
  changes: readonly FileChange[],
  history: FileHistory,
  redact: (text: string) => string,
): Promise<FoldedDiff> {
  const firsts = firstOfEach(changes);
  const files: FoldedFile[] = [];
  let patch = "";
  let truncated = firsts.length > MOST_FILES;
  for (const first of firsts.slice(0, MOST_FILES)) {
    const folded = await foldFile(first, history, redact);
    if (folded === undefined) continue;
    files.push(folded.file);
    if (patch.length + folded.patch.length > MOST_PATCH_CHARS) truncated = true;
    else patch += folded.patch;
  }
  return { files, patch, truncated };
}

/** The oldest change of each file, by project and path. */
function firstOfEach(changes: readonly FileChange[]): readonly FileChange[] {
  const firsts = new Map<string, FileChange>();
  for (const change of changes) {
    const key = `${change.project}\0${change.path}\0${change.root}`;
    const known = firsts.get(key);
    if (known === undefined || change.id < known.id) firsts.set(key, change);
  }
  return [...firsts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
}

async function foldFile(
  first: FileChange,
  history: FileHistory,
  redact: (text: string) => string,
): Promise<Folded | undefined> {
  const { project, path, before } = first;
  const base = { project, path: redact(path), additions: 0, deletions: 0 };
  const none = { binary: false, denied: false, tooLarge: false, reason: undefined };
  const without = (status: FoldedFile["status"], why: Partial<FoldedFile>): Folded => ({
    file: { ...base, ...none, status, ...why },
    patch: "",
  });
  const now = await currentContent(first, history);
  if (now === "denied") return without("M", { denied: true });
  if (now === "unreachable") return without("M", { reason: "unreachable" });
  if (now.digest === before) return undefined;
  const status = before === undefined ? "A" : now.digest === undefined ? "D" : "M";
  if (before !== undefined && first.reason !== undefined)
    return without(status, { reason: first.reason, tooLarge: first.reason === "too_large" });
  const was = before === undefined ? undefined : await history.files.read(before);
  if (before !== undefined && was === undefined) return without(status, { reason: "expired" });
  if (now.digest !== undefined && now.content === undefined) return without(status, { tooLarge: true });
  const sides = [was, now.content];
  if (sides.some((side) => side !== undefined && isBinary(side))) return without(status, { binary: true });
  // Taken out before lines get their signs: a secret of several lines would not be found then.
  const [old, current] = sides.map((side) => side && redact(side.toString()));
  const compared = await textPatch(base.path, old, current);
  if (compared === undefined) return without(status, { tooLarge: true });
  const { additions, deletions, patch } = compared;
  return { file: { ...base, ...none, status, additions, deletions }, patch };
}

type Current = { readonly digest: string | undefined; readonly content: Buffer | undefined };

async function currentContent(
  { project, root, path }: FileChange,
  { fence }: FileHistory,
): Promise<Current | "denied" | "unreachable"> {
  try {
    await using located = await fence.open({ project, path: join(root, path), for: "read" });
    const state = await stateOf(located);
    return { digest: state?.digest, content: state?.content };
  } catch (error) {
    if (!(error instanceof FenceRefusal)) throw error;
    if (error.code === "fence.missing") return { digest: undefined, content: undefined };
    return error.code === "fence.denied" ? "denied" : "unreachable";
  }
}

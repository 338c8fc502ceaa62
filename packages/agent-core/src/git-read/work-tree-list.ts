/** What git knows of the files of a work tree without reading them: by names, times and its index. */
import { GitError } from "./git-error.ts";
import type { PrivateRepository } from "./private-repository.ts";

const MAX_LIST_BYTES = 64 * 1_048_576;
/** Bytes of paths in one command line. */
const MAX_ARGUMENT_BYTES = 65_536;
const LINK_TO_COMMIT = "160000";
/** An entry of `git ls-files -z -s --debug`. */
const INDEXED = /(\d{6}) ([0-9a-f]+) (\d)\t([^\0]+)\0(?: {2}.*\n){4} {2}size: (\d+)\tflags: .*\n/gy;

/** Where in a repository its files are looked at. */
export interface WorkTree {
  /** The repository's folder. */
  readonly top: string;
  /** From there to the folder that counts, all paths are below that; blank: the same. */
  readonly prefix: string;
}

/** The files of a work tree that its index does not stand for. Names that are not UTF-8 are left out. */
export interface WorkTreeList {
  /** Tracked, and other than in the index, or told to be left alone, so that git would not notice. */
  readonly changed: readonly string[];
  /** Neither tracked nor ignored. */
  readonly untracked: readonly string[];
  /** Folders with a repository of their own. */
  readonly repositories: readonly string[];
}

/** Lists them. @throws GitError */
export async function listWorkTree(git: PrivateRepository, tree: WorkTree): Promise<WorkTreeList> {
  const flags = ["-z", "-v", "-s", "-c", "-m", "-d", "-o", "--exclude-standard"];
  const { bytes, cut } = await git.run(["ls-files", ...flags, ...within(tree)], {
    ...{ workTree: tree.top, maxBytes: MAX_LIST_BYTES },
  });
  if (cut) throw new GitError("git.unreadable", "it has too many files to be listed");
  const changed = new Set<string>();
  const untracked: string[] = [];
  const repositories = new Set<string>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    if (end === -1) break;
    const tag = String.fromCharCode(bytes[at]!);
    const from = at + 2;
    at = end + 1;
    const isCommit = tag !== "?" && bytes.toString("latin1", from, from + 6) === LINK_TO_COMMIT;
    // Most files: what stands in the index.
    if (tag === "H" && !isCommit) continue;
    const path = pathIn(bytes, tag === "?" ? from : bytes.indexOf(9, from) + 1, end, tree.prefix);
    if (path === undefined) continue;
    if (isCommit || path.endsWith("/")) repositories.add(path.replace(/\/$/, ""));
    else if (tag === "?") untracked.push(path);
    else changed.add(path);
  }
  return { changed: [...changed], untracked, repositories: [...repositories] };
}

/** Whether the repository ignores the folder that counts, so that it says nothing of its files. @throws GitError */
export async function isIgnored(git: PrivateRepository, tree: WorkTree): Promise<boolean> {
  if (tree.prefix === "") return false;
  const flags = ["-z", "-o", "-i", "--exclude-standard", "--directory"];
  const { bytes } = await git.run(["ls-files", ...flags, "--", tree.prefix], { workTree: tree.top, maxBytes: 65_536 });
  const names = bytes.toString().split("\0");
  return names.some((name) => name.endsWith("/") && `${tree.prefix}/`.startsWith(name));
}

/** A file as the index has it. */
export interface IndexedFile {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
  /** Bytes that the file had in the work tree; 0 also where that is not known. */
  readonly bytes: number;
}

/** Reads what the index has of these files; those that it has not, or in several versions, are left out. @throws GitError */
export async function readIndexed(
  git: PrivateRepository,
  tree: WorkTree,
  paths: readonly string[],
): Promise<readonly IndexedFile[]> {
  const found: IndexedFile[] = [];
  for (const some of inArguments(paths.map((path) => fromTop(tree, path)))) {
    const { bytes } = await git.run(["ls-files", "-z", "-s", "--debug", "--", ...some], {
      ...{ workTree: tree.top, maxBytes: MAX_LIST_BYTES },
    });
    for (const [, mode = "", blob = "", stage, full = "", size] of bytes.toString().matchAll(INDEXED)) {
      const path = below(tree, full);
      if (stage === "0" && path !== undefined) found.push({ path, mode, blob, bytes: Number(size) });
    }
  }
  return found;
}

/** Of these files, those whose content in the work tree may be another than in the repository. @throws GitError */
export async function convertedPaths(
  git: PrivateRepository,
  tree: WorkTree,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const input = Buffer.from(paths.map((path) => `${fromTop(tree, path)}\0`).join(""));
  const attributes = ["filter", "ident", "working-tree-encoding"];
  const { bytes } = await git.run(["check-attr", "--cached", "-z", "--stdin", ...attributes], {
    ...{ workTree: tree.top, input, maxBytes: MAX_LIST_BYTES },
  });
  const fields = bytes.toString().split("\0");
  const converted = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const path = below(tree, fields[at]!);
    if (path !== undefined && !["unspecified", "unset"].includes(fields[at + 2]!)) converted.add(path);
  }
  return converted;
}

/** Reads contents of the repository; those that it does not have are left out. @throws GitError */
export async function readBlobs(
  git: PrivateRepository,
  tree: WorkTree,
  blobs: readonly string[],
  maxBytes: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const input = Buffer.from(blobs.map((blob) => `${blob}\n`).join(""));
  const { bytes } = await git.run(["cat-file", "--batch"], { workTree: tree.top, input, maxBytes });
  const found = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    if (end === -1) break;
    const [blob = "", kind, size] = bytes.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (kind === "missing" || kind === "ambiguous") continue;
    const content = bytes.subarray(at, at + Number(size));
    if (kind === "blob" && content.length === Number(size)) found.set(blob, content);
    at += Number(size) + 1;
  }
  return found;
}

function within({ prefix }: WorkTree): readonly string[] {
  return prefix === "" ? [] : ["--", prefix];
}

function fromTop({ prefix }: WorkTree, path: string): string {
  return prefix === "" ? path : `${prefix}/${path}`;
}

function below({ prefix }: WorkTree, path: string): string | undefined {
  if (prefix === "") return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : undefined;
}

function pathIn(bytes: Buffer, from: number, end: number, prefix: string): string | undefined {
  const raw = bytes.subarray(from, end);
  const path = raw.toString();
  return path.includes("\ufffd") && !Buffer.from(path).equals(raw) ? undefined : below({ top: "", prefix }, path);
}

function* inArguments(paths: readonly string[]): Iterable<readonly string[]> {
  let some: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    some.push(path);
    bytes += Buffer.byteLength(path) + 1;
    if (bytes < MAX_ARGUMENT_BYTES) continue;
    yield some;
    [some, bytes] = [[], 0];
  }
  if (some.length > 0) yield some;
}

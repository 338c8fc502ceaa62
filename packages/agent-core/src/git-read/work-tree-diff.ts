/**
 * What a project's files differ in from the last commit (F25).
 *
 * - GR1 Nothing that a repository's own files name is run: git gets a directory of ours with our settings.
 * - GR2 What is shown of a file's content was read through the fence, never by git from the folder.
 * - GR3 Nothing of the repository is written: index, objects, refs and locks stay as they are.
 */
import { join, relative } from "node:path";
import type { Clock } from "../clock/index.ts";
import { inParallel } from "../collection/index.ts";
import { type Fence, isSecretLike, type ReachableProject } from "../fence/index.ts";
import { addedFilePatch, lineCount } from "./added-file-patch.ts";
import { type ChangedPath, parseStatus } from "./changed-paths.ts";
import { findRepository } from "./find-repository.ts";
import { GitError } from "./git-error.ts";
import type { GitPrograms } from "./git-programs.ts";
import { type DiffSection, parseDiff } from "./parse-diff.ts";
import { PrivateRepository } from "./private-repository.ts";
import { type FileNow, readChangedFile } from "./read-changed-file.ts";
import { WorkTreeCopy } from "./work-tree-copy.ts";

export const DIFF_LIMITS = {
  files: 5_000,
  patchBytes: 1_048_576,
  untrackedBytes: 262_144,
  /** Of a tracked file that differs. */
  fileBytes: 8_388_608,
  /** Of all that is read for one diff. */
  totalBytes: 67_108_864,
  milliseconds: 10_000,
} as const;

/** Of git's list of what differs; its names beyond that are not looked at. */
const MAX_STATUS_BYTES = 16 * 1_048_576;
const MAX_DIFF_BYTES = 32 * 1_048_576;
/** Of names in one command line; the system's own bound is a multiple. */
const MAX_ARGUMENT_BYTES = 65_536;
const READ_AT_A_TIME = 4;

export interface DiffFile {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: "M" | "A" | "D" | "R" | "?";
  /** Null where lines are not counted: denied, binary, too large, not read. */
  readonly additions: number | null;
  readonly deletions: number | null;
  readonly binary: boolean;
  readonly denied: boolean;
  readonly tooLarge?: true;
  readonly reason?: string;
}

/** What differs. The patch ends at the border of a file. */
export interface WorkTreeDiff {
  /** The commit; null before the first. */
  readonly head: string | null;
  /** Null where no branch is checked out. */
  readonly branch: string | null;
  readonly files: readonly DiffFile[];
  readonly patch: string;
  readonly truncated: boolean;
}

export interface WorkTreeDiffOptions {
  readonly fence: Fence;
  readonly programs: GitPrograms;
  readonly clock: Pick<Clock, "setTimeout">;
  /** `PATH` and what else of the service's environment programs get. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** A folder of ours for copies. */
  readonly scratch: string;
}

/**
 * The diff of a project; undefined where its folder lies in no repository.
 * @throws GitError
 */
export async function workTreeDiff(
  options: WorkTreeDiffOptions,
  project: ReachableProject,
): Promise<WorkTreeDiff | undefined> {
  const repository = await findRepository(project.root);
  if (repository === undefined) return undefined;
  const late = new AbortController();
  const timer = options.clock.setTimeout(
    () => late.abort(new GitError("git.timeout", "git took longer than 10 seconds")),
    DIFF_LIMITS.milliseconds,
  );
  try {
    await using git = await PrivateRepository.open({
      repository,
      scratch: options.scratch,
      mayBorrowFrom: (folder) => options.fence.projects.holding(folder) !== undefined,
      programs: options.programs,
      owner: `diff:${project.name}`,
      environment: options.environment(),
      signal: late.signal,
    });
    return await new Reading(options.fence, project, git, relative(repository.top, project.root), late.signal).diff();
  } finally {
    timer.cancel();
  }
}

/** One reading of a work tree. */
class Reading {
  readonly #fence: Fence;
  readonly #project: ReachableProject;
  readonly #git: PrivateRepository;
  /** From the top of the repository to the project; blank where they are the same. */
  readonly #prefix: string;
  readonly #signal: AbortSignal;
  readonly #files: DiffFile[] = [];
  /** By path, why a tracked file that differs is not compared. */
  readonly #withheld = new Map<string, DiffFile>();
  readonly #parts: string[] = [];
  #patchBytes = 0;
  #readBytes = 0;
  #truncated = false;

  constructor(fence: Fence, project: ReachableProject, git: PrivateRepository, prefix: string, signal: AbortSignal) {
    this.#fence = fence;
    this.#project = project;
    this.#git = git;
    this.#prefix = prefix;
    this.#signal = signal;
  }

  async diff(): Promise<WorkTreeDiff> {
    const changed = await this.#changed();
    const { commit, branch } = this.#git.head;
    const isNew = commit === undefined;
    const tracked = isNew ? [] : changed.filter(({ isTracked }) => isTracked);
    if (tracked.length > 0) await this.#compare(tracked, commit!);
    for (const one of changed) if (isNew ? one.isThere : !one.isTracked) await this.#addUntracked(one);
    const shown = { files: this.#files, patch: this.#parts.join(""), truncated: this.#truncated };
    return { head: commit ?? null, branch: branch ?? null, ...shown };
  }

  /** What git finds by comparing names and times, and where these do not tell, contents; paths from the project's root. */
  async #changed(): Promise<readonly ChangedPath[]> {
    const flags = ["--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all"];
    const workTree = this.#prefix === "" ? this.#project.root : topOf(this.#project.root, this.#prefix);
    const where = this.#prefix === "" ? [] : ["--", this.#prefix];
    const status = await this.#git.run(["status", ...flags, ...where], { workTree, maxBytes: MAX_STATUS_BYTES });
    const own = parseStatus(status.bytes).flatMap((one) => {
      if (this.#prefix === "") return [one];
      return one.path.startsWith(`${this.#prefix}/`) ? [{ ...one, path: one.path.slice(this.#prefix.length + 1) }] : [];
    });
    if (status.cut || own.length > DIFF_LIMITS.files) this.#truncated = true;
    return own.slice(0, DIFF_LIMITS.files);
  }

  /** Puts tracked files that differ into a copy of the work tree, and has git compare that with the commit. */
  async #compare(changed: readonly ChangedPath[], commit: string): Promise<void> {
    const copy = new WorkTreeCopy(this.#git.copies);
    const read = await inParallel(changed, READ_AT_A_TIME, (one) =>
      one.isThere ? this.#readIntoCopy(copy, one) : this.#gone(one.path),
    );
    const links: [string, Buffer][] = [];
    const compared: ChangedPath[] = [];
    for (const [index, now] of read.entries()) {
      const one = changed[index]!;
      if (now.kind === "link") links.push([join(this.#prefix, one.path), now.target]);
      if (now.kind === "file" || now.kind === "link" || now.kind === "missing") compared.push(one);
      else this.#withheld.set(one.path, withheld(one.path, one.isThere ? "M" : "D", now));
    }
    await copy.putLinks(links);
    await this.#compareCopy(copy, compared, commit);
    for (const file of this.#withheld.values()) this.#add(file);
  }

  async #compareCopy({ folder: workTree }: WorkTreeCopy, compared: readonly ChangedPath[], commit: string) {
    const paths = compared.map(({ path }) => join(this.#prefix, path));
    const input = Buffer.from(paths.map((path) => `${path}\0`).join(""));
    // Through the index where the names are too many for a command line, where what is withheld counts as the index has it
    // (it may be what another file was renamed to), and where the index has more than one version of a file.
    const isIndexed =
      input.length > MAX_ARGUMENT_BYTES || this.#withheld.size > 0 || compared.some(({ isUnmerged }) => isUnmerged);
    if (isIndexed)
      await this.#git.run(["update-index", "--add", "--remove", "-z", "--stdin"], { workTree, input, maxBytes: 1_024 });
    const flags = ["-M", "--raw", "--numstat", "--patch", "-z", "--no-color", "--ignore-submodules=all"];
    const within = this.#prefix === "" ? [] : [`--relative=${this.#prefix}/`];
    const what = isIndexed ? ["--cached", commit, "--"] : [commit, "--", ...paths];
    const args = ["diff", "--no-ext-diff", "--no-textconv", ...flags, ...within, ...what];
    const output = await this.#git.run(args, { workTree, maxBytes: MAX_DIFF_BYTES });
    if (output.cut) this.#truncated = true;
    for (const section of parseDiff(output.bytes, !output.cut)) this.#addSection(section);
  }

  #addSection({ status, path, oldPath, additions, deletions, patch }: DiffSection): void {
    if (this.#withheld.has(path)) return;
    const denied = isSecretLike(path) || (oldPath !== undefined && isSecretLike(oldPath));
    const binary = !denied && additions === undefined && status !== "U";
    this.#add(
      {
        path,
        ...(oldPath === undefined ? {} : { oldPath }),
        status: status === "T" || status === "U" ? "M" : status,
        additions: denied ? null : (additions ?? null),
        deletions: denied ? null : (deletions ?? null),
        ...{ binary, denied },
      },
      denied ? "" : patch,
    );
  }

  async #addUntracked(one: ChangedPath): Promise<void> {
    if (this.#files.length >= DIFF_LIMITS.files) {
      this.#truncated = true;
      return;
    }
    if (one.path.endsWith("/")) {
      this.#add({ ...uncounted(one.path, "?"), reason: "a repository of its own" });
      return;
    }
    const now = await this.#read(one, DIFF_LIMITS.untrackedBytes);
    if (now.kind === "missing") return;
    if (now.kind !== "file" && now.kind !== "link") {
      this.#add(withheld(one.path, "?", now));
      return;
    }
    const bytes = now.kind === "file" ? now.content : now.target;
    const content = textOf(bytes);
    if (content === undefined) {
      this.#add({ ...uncounted(one.path, "?"), binary: true });
      return;
    }
    const mode = now.kind === "link" ? "120000" : now.isExecutable ? "100755" : "100644";
    const counted = { ...uncounted(one.path, "?"), additions: lineCount(content), deletions: 0 };
    this.#add(counted, addedFilePatch(one.path, content, mode));
  }

  /** `patch` undefined: git's output ended before it. */
  #add(file: DiffFile, patch: string | undefined = ""): void {
    if (this.#files.length >= DIFF_LIMITS.files) {
      this.#truncated = true;
      return;
    }
    this.#files.push(file);
    const bytes = Buffer.byteLength(patch ?? "");
    if (patch === undefined || this.#patchBytes + bytes > DIFF_LIMITS.patchBytes) {
      this.#truncated = true;
      // Nothing after it either: a patch ends at the border of a file and has no gap.
      this.#patchBytes = Number.POSITIVE_INFINITY;
      return;
    }
    this.#parts.push(patch);
    this.#patchBytes += bytes;
  }

  async #gone(path: string): Promise<FileNow> {
    return isSecretLike(path) ? { kind: "denied" } : { kind: "missing" };
  }

  async #read({ path, isUnreadable }: ChangedPath, atMost: number): Promise<FileNow> {
    this.#signal.throwIfAborted();
    if (isUnreadable) return { kind: "withheld", reason: "its name is not UTF-8" };
    if (this.#readBytes >= DIFF_LIMITS.totalBytes)
      return { kind: "withheld", reason: "more differs than one diff reads" };
    const now = await readChangedFile(this.#fence, this.#project, path, atMost);
    if (now.kind === "file") this.#readBytes += now.content.length;
    return now;
  }

  async #readIntoCopy(copy: WorkTreeCopy, one: ChangedPath): Promise<FileNow> {
    const now = await this.#read(one, DIFF_LIMITS.fileBytes);
    if (now.kind !== "file" || (await copy.putFile(join(this.#prefix, one.path), now.content, now.isExecutable)))
      return now;
    return { kind: "withheld", reason: "a file and a folder changed places while they were read" };
  }
}

function topOf(root: string, prefix: string): string {
  return root.slice(0, root.length - prefix.length - 1) || "/";
}

function uncounted(path: string, status: DiffFile["status"]): DiffFile {
  return { path, status, additions: null, deletions: null, binary: false, denied: false };
}

function withheld(path: string, status: DiffFile["status"], now: FileNow): DiffFile {
  const file = uncounted(path, status);
  if (now.kind === "denied") return { ...file, denied: true };
  if (now.kind === "too-large")
    return { ...file, tooLarge: true, reason: `${now.bytes} bytes are too many to compare` };
  return now.kind === "withheld" ? { ...file, reason: now.reason } : file;
}

/** Undefined for what is no text: a NUL in its beginning, or not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8_192).includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

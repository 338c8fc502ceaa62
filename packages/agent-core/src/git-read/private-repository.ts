/**
 * A git directory of our own beside a repository (GR1): its settings are ours, so nothing that the repository's settings
 * name is run; its index is a copy, so nothing that is done to it reaches the repository; objects are read from the
 * repository and written here.
 */
import { lstat, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Repository } from "./find-repository.ts";
import { GitError } from "./git-error.ts";
import { type GitOutput, type GitPrograms, runGit } from "./git-programs.ts";
import { type Head, readHead } from "./read-head.ts";
import { readLine, readSmallFile } from "./read-small-file.ts";

const MAX_INDEX = 128 * 1_048_576;
const MAX_EXCLUDE = 1_048_576;
/** Parts of an index that lie in files of their own. */
const MAX_SHARED_INDEXES = 4;
const MAX_ALTERNATES = 16;

export interface PrivateRepositoryOptions {
  readonly repository: Repository;
  /** A folder of ours, in which one is made for this reading. Its own folder exists. */
  readonly scratch: string;
  /** Whether objects may also be read from this folder, which the repository borrows them from. */
  readonly mayBorrowFrom: (folder: string) => boolean;
  readonly programs: GitPrograms;
  readonly owner: string;
  /** `PATH` and what else of the service's environment programs get. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** How one git is run. */
export interface PrivateRun {
  /** The folder whose files it reads. */
  readonly workTree: string;
  readonly input?: Buffer;
  readonly maxBytes: number;
}

export class PrivateRepository {
  readonly head: Head;
  /** An empty folder, for a copy of files. */
  readonly copies: string;
  readonly #folder: string;
  readonly #options: PrivateRepositoryOptions;

  private constructor(folder: string, head: Head, options: PrivateRepositoryOptions) {
    this.#folder = folder;
    this.head = head;
    this.copies = join(folder, "copies");
    this.#options = options;
  }

  /** Makes it. @throws GitError */
  static async open(options: PrivateRepositoryOptions): Promise<PrivateRepository> {
    const { repository, scratch, mayBorrowFrom } = options;
    const head = await readHead(repository);
    await checkObjects(join(repository.commonDir, "objects"), mayBorrowFrom);
    await mkdir(scratch, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const folder = await mkdtemp(join(scratch, "read-"));
    try {
      await fill(folder, repository, head);
      return new PrivateRepository(folder, head, options);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Runs git over it. @throws GitError, also where git fails */
  async run(args: readonly string[], { workTree, input, maxBytes }: PrivateRun): Promise<GitOutput> {
    const { repository, programs, owner, environment, signal } = this.#options;
    const output = await runGit({
      ...{ programs, owner, environment, args, signal, maxBytes },
      cwd: workTree,
      timeoutMs: 60_000,
      variables: {
        HOME: this.#folder,
        GIT_DIR: this.gitDir,
        GIT_WORK_TREE: workTree,
        GIT_OBJECT_DIRECTORY: join(this.#folder, "git", "objects"),
        GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(repository.commonDir, "objects")),
      },
      ...(input === undefined ? {} : { input }),
    });
    if (output.cut || output.code === 0) return output;
    const reason = output.errors.split("\n").find((line) => line !== "") ?? "";
    const shown = [this.#folder, repository.commonDir, repository.top].reduce(
      (text, path) => text.replaceAll(path, "…"),
      reason.replace(/^fatal: /, ""),
    );
    throw new GitError("git.unreadable", `git cannot read it${shown === "" ? "" : `: ${shown.slice(0, 300)}`}`);
  }

  /** Its `HEAD` and index, from which it can be made again while its folder is there. */
  get gitDir(): string {
    return join(this.#folder, "git");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Removes what a former process left of its readings. */
export async function removeLeftReadings(scratch: string): Promise<void> {
  const names = await readdir(scratch).catch(() => []);
  for (const name of names)
    if (name.startsWith("read-")) await rm(join(scratch, name), { recursive: true, force: true });
}

async function fill(folder: string, repository: Repository, { commit }: Head): Promise<void> {
  const git = join(folder, "git");
  for (const name of ["copies", "git", "git/objects", "git/refs", "git/info"]) await mkdir(join(folder, name));
  await writeFile(join(git, "HEAD"), commit === undefined ? "ref: refs/heads/none\n" : `${commit}\n`);
  await writeFile(join(git, "config"), settings(commit));
  const exclude = await readSmallFile(join(repository.commonDir, "info", "exclude"), MAX_EXCLUDE);
  if (exclude !== undefined) await writeFile(join(git, "info", "exclude"), exclude.content);
  const shared = (await readdir(repository.gitDir)).filter((name) => /^sharedindex\.[0-9a-f]+$/.test(name));
  for (const name of ["index", ...shared.slice(0, MAX_SHARED_INDEXES)]) {
    const file = await readSmallFile(join(repository.gitDir, name), MAX_INDEX);
    if (file === undefined) continue;
    const copy = join(git, name);
    await writeFile(copy, file.content);
    // Git compares files as young as the index with what it noted of them: a copy that looks younger would hide a change.
    const seconds = Math.floor(file.mtimeMs) / 1_000;
    await utimes(copy, seconds, seconds);
  }
}

function settings(commit: string | undefined): string {
  const isSha256 = commit?.length === 64;
  return [
    ...["[core]", `repositoryformatversion = ${isSha256 ? 1 : 0}`, "bare = false", "quotePath = false"],
    ...["fsmonitor = false", "untrackedCache = false", "hooksPath = /dev/null", "attributesFile = /dev/null"],
    ...["excludesFile = /dev/null", "checkStat = default"],
    // What is written here is gone with the reading.
    ...["fsync = none", "looseCompression = 0"],
    ...(isSha256 ? ["[extensions]", "objectFormat = sha256"] : []),
    "",
  ].join("\n");
}

/** Refuses objects that are borrowed from outside of projects: by their ids a commit could show what is elsewhere. */
async function checkObjects(objects: string, mayBorrowFrom: (folder: string) => boolean): Promise<void> {
  const folders = [objects];
  for (let at = 0; at < folders.length; at++) {
    const folder = folders[at]!;
    if ((await lstat(folder).catch(() => undefined))?.isDirectory() !== true)
      throw new GitError("git.unreadable", "its objects are not where they should be");
    const borrowed = (await readLine(join(folder, "info", "alternates")))?.split("\n") ?? [];
    for (const line of borrowed.filter((one) => one !== "" && !one.startsWith("#"))) {
      const from = resolve(folder, line);
      if (line.startsWith('"') || folders.length > MAX_ALTERNATES || !mayBorrowFrom(from))
        throw new GitError("git.unreadable", "it borrows objects from a folder outside of every project");
      folders.push(from);
    }
  }
}

/** A path as one entry of a list that colons divide. */
function quoted(path: string): string {
  return /[:"\n\\]/.test(path) ? `"${path.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"` : path;
}

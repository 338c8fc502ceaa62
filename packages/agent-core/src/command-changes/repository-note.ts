/**
 * What a repository says of a project's files before a command and after it. It is asked through a git directory of our
 * own, with the index as it was before (GR1), so nothing that it names is run and nothing of it is written (FC4).
 */
import { open } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Fence, ReachableProject } from "../fence/index.ts";
import { MOST_FILE_BYTES } from "../file-history/index.ts";
import {
  convertedPaths,
  findRepository,
  type GitPrograms,
  type IndexedFile,
  isIgnored,
  listWorkTree,
  PrivateRepository,
  readBlobs,
  readIndexed,
  readSmallFile,
} from "../git-read/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { RepositoryNote } from "./note-folder.ts";
import type { CleanFile } from "./note-message.ts";

/** Bytes of the repository's contents that are kept of one command, and that are read at once. */
const MOST_BYTES = 64 * 1_048_576;
const BATCH_BYTES = 8 * 1_048_576;
const MAX_ATTRIBUTES = 1_048_576;

export interface RepositoryReading {
  readonly fence: Fence;
  readonly programs: GitPrograms;
  readonly environment: () => Readonly<Record<string, string>>;
  readonly redactor: Pick<Redactor, "known">;
}

/** Which note it is for. */
export interface NoteReading {
  readonly owner: string;
  /** The note's folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Undefined: the project's folder lies in no repository, or in one that says nothing of its files. @throws GitError */
export async function noteRepository(
  reading: RepositoryReading,
  { root }: ReachableProject,
  note: NoteReading,
): Promise<RepositoryNote | undefined> {
  const repository = await findRepository(root);
  if (repository === undefined) return undefined;
  const { top, commonDir } = repository;
  const git = await openRepository(reading, repository, note);
  const tree = { top, prefix: relative(top, root) };
  if (await isIgnored(git, tree)) return undefined;
  return { ...tree, commonDir, gitDir: git.gitDir, ...(await listWorkTree(git, tree)) };
}

/** What is to be compared after a command. */
export interface RepositoryNow {
  readonly paths: readonly string[];
  readonly folders: readonly string[];
  readonly clean: readonly CleanFile[];
}

/** @throws GitError */
export async function readRepositoryNow(
  reading: RepositoryReading,
  noted: RepositoryNote,
  note: NoteReading,
): Promise<RepositoryNow> {
  const git = await openRepository(reading, noted, note);
  const now = await listWorkTree(git, noted);
  const before = new Set(noted.changed);
  const changed = now.changed.filter((path) => !before.has(path));
  const clean = changed.length === 0 ? [] : await readClean(reading, git, { noted, note, changed });
  const folders = [...new Set([...noted.repositories, ...now.repositories])];
  return { paths: now.untracked, folders, clean };
}

function openRepository(
  { fence, programs, environment }: RepositoryReading,
  { top, commonDir, gitDir }: Pick<RepositoryNote, "top" | "commonDir" | "gitDir">,
  { owner, folder, signal }: NoteReading,
): Promise<PrivateRepository> {
  return PrivateRepository.open({
    repository: { top, commonDir, gitDir },
    scratch: folder,
    mayBorrowFrom: (from) => fence.projects.holding(from) !== undefined,
    ...{ programs, owner, environment: environment(), signal },
  });
}

interface CleanReading {
  readonly noted: RepositoryNote;
  readonly note: NoteReading;
  readonly changed: readonly string[];
}

/**
 * What files held that were as the index has them: the repository's own contents, where git does not convert them and they
 * were as large as in the work tree.
 */
async function readClean(
  { redactor }: RepositoryReading,
  git: PrivateRepository,
  { noted, note, changed }: CleanReading,
): Promise<readonly CleanFile[]> {
  const indexed = await readIndexed(git, noted, changed);
  const converted = (await isConvertedUnseen(noted)) ? undefined : await convertedPaths(git, noted, changed);
  const sizes: IndexedFile[] = [];
  const clean: CleanFile[] = [];
  let total = 0;
  for (const file of indexed) {
    const isLink = file.mode === "120000";
    const isLarge = file.bytes > MOST_FILE_BYTES;
    if (!isLink && !isLarge && converted?.has(file.path) === false && total + file.bytes <= MOST_BYTES) {
      total += file.bytes;
      sizes.push(file);
    } else clean.push({ ...file, reason: isLink ? "link" : isLarge ? "too_large" : "not_kept" });
  }
  const blobs = await open(join(note.folder, "blobs"), "w", 0o600);
  try {
    let at = 0;
    for (const some of inBatches(sizes)) {
      const bytes = some.reduce((sum, file) => sum + file.bytes + 128, 0);
      const contents = await readBlobs(git, noted, [...new Set(some.map(({ blob }) => blob))], bytes);
      for (const file of some) {
        const content = contents.get(file.blob);
        const text = content?.toString() ?? "";
        if (content?.length !== file.bytes) clean.push({ ...file, reason: "not_kept" });
        else if (redactor.known(text) !== text) clean.push({ ...file, reason: "secret" });
        else {
          await blobs.write(content, 0, content.length, at);
          clean.push({ ...file, at });
          at += content.length;
        }
      }
    }
  } finally {
    await blobs.close();
  }
  return clean;
}

/** Whether rules that our git directory does not see may convert contents. */
async function isConvertedUnseen({ commonDir, changed, untracked }: RepositoryNote): Promise<boolean> {
  const isRules = (path: string): boolean => path === ".gitattributes" || path.endsWith("/.gitattributes");
  if (changed.some(isRules) || untracked.some(isRules)) return true;
  const own = await readSmallFile(join(commonDir, "info", "attributes"), MAX_ATTRIBUTES);
  return /filter|ident|encoding/.test(own?.content.toString() ?? "");
}

function* inBatches(files: readonly IndexedFile[]): Iterable<readonly IndexedFile[]> {
  let some: IndexedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    some.push(file);
    bytes += file.bytes;
    if (bytes < BATCH_BYTES) continue;
    yield some;
    [some, bytes] = [[], 0];
  }
  if (some.length > 0) yield some;
}

/**
 * What commands change in the files of a project. Before a command the files are noted, after it they are compared with the
 * note, and what differs becomes changes of that call, which are listed and taken back like those of the file tools.
 *
 * - In a repository only files are noted that are not as its index has them; the others are in the repository.
 * - The note is on the disk before the command starts, so that what it did before a crash is found at the next start (FC1).
 * - What cannot be kept is listed, and says why it cannot be taken back (FC5). Nothing of git is touched (FC4).
 */
import { join } from "node:path";
import type { Located, ReachableProject } from "../fence/index.ts";
import type { ChangeOwner } from "../file-history/index.ts";
import { GitError } from "../git-read/index.ts";
import type { CommandChangesOptions } from "./command-changes-options.ts";
import {
  makeNoteFolder,
  type NoteHead,
  noteFolders,
  type RepositoryNote,
  readNoteHead,
  removeNote,
  writeNoteHead,
} from "./note-folder.ts";
import type { Compared, NoteLimits, NoteTimes, TreeRoot } from "./note-message.ts";
import { NoteError, NoteThreads } from "./note-threads.ts";
import { recordDifferences } from "./record-differences.ts";
import { noteRepository, type RepositoryNow, readRepositoryNow } from "./repository-note.ts";

const LIMITS: NoteLimits = { files: 20_000, fileBytes: 1_048_576, totalBytes: 67_108_864 };
/** Changes that are listed of one command. */
const MOST_CHANGES = 5_000;
const TIMES: NoteTimes = { noteMs: 10_000, compareMs: 30_000 };

/** A command that is about to run. */
export interface NotedCommand {
  readonly owner: ChangeOwner;
  readonly project: ReachableProject;
  readonly signal: AbortSignal;
}

/** The files of a project as they were before a command. */
export interface CommandNote {
  /** Records what differs. Resolves with why not all of it is known; undefined: it is. */
  end(): Promise<string | undefined>;
}

/** A command between its note and its end. */
interface Running {
  readonly root: string;
  /** Another command runs in the same files. */
  isShared: boolean;
}

/** Notes files before commands and records what differs after them. */
export class CommandChanges {
  readonly #options: CommandChangesOptions;
  readonly #threads: NoteThreads;
  readonly #running = new Set<Running>();
  readonly #ending = new Set<Promise<unknown>>();

  constructor(options: CommandChangesOptions) {
    this.#options = options;
    this.#threads = new NoteThreads(options.redactor);
  }

  /** Notes the files of a project. Where that fails the command may run, and it is said at its end. @throws the signal's reason */
  async begin(command: NotedCommand): Promise<CommandNote> {
    const { log } = this.#options;
    const running = this.#enter(command.project.root);
    try {
      const folder = await this.#note(command);
      const end = async (): Promise<string | undefined> => {
        try {
          return await this.#end(folder, running.isShared);
        } finally {
          this.#running.delete(running);
        }
      };
      return { end: () => this.#tracked(end()) };
    } catch (error) {
      this.#running.delete(running);
      command.signal.throwIfAborted();
      log.warn(`what a command changes in ${command.project.name} is not recorded: ${String(error)}`);
      const why = `what it changed is not recorded: ${reasonOf(error)}`;
      return { end: () => Promise.resolve(why) };
    }
  }

  /** Records what commands did that a former process started, until it went down. */
  async recover(): Promise<void> {
    const { history, folder: notes } = this.#options;
    for (const folder of await noteFolders(notes)) {
      const head = await readNoteHead(folder);
      // One that is not whole is of a command that was not started.
      if (head !== undefined && (await history.store.taskExists(head.owner.task))) await this.#end(folder, true);
      else await removeNote(folder);
    }
  }

  /** Resolves when what ended commands did is recorded. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#ending);
  }

  #enter(root: string): Running {
    const others = [...this.#running].filter((one) => isWithin(one.root, root) || isWithin(root, one.root));
    for (const one of others) one.isShared = true;
    const running = { root, isShared: others.length > 0 };
    this.#running.add(running);
    return running;
  }

  async #tracked<T>(ending: Promise<T>): Promise<T> {
    this.#ending.add(ending);
    try {
      return await ending;
    } finally {
      this.#ending.delete(ending);
    }
  }

  /** Resolves with the note's folder. */
  async #note({ owner, project, signal: canceled }: NotedCommand): Promise<string> {
    const { newId, folder: notes, isKept, limits = LIMITS, times = TIMES, log } = this.#options;
    const [since, startedAt] = [newId(), Date.now()];
    using late = this.#deadline(times.noteMs, canceled);
    const { signal } = late;
    const folder = await makeNoteFolder(notes, since);
    try {
      const reading = { owner: `note:${owner.call}`, folder, signal };
      const repository = await noteRepository(this.#options, project, reading).catch((error: unknown) => {
        if (!(error instanceof GitError)) throw error;
        log.warn(`the repository of ${project.name} is noted like any folder: ${error.message}`);
        return undefined;
      });
      const paths = [...(repository?.changed ?? []), ...(repository?.untracked ?? [])];
      const folders = repository?.repositories ?? [""];
      let isCut = false;
      if (paths.length + folders.length > 0) {
        const taken = await this.#inTree(project, (root) =>
          this.#threads.note(
            {
              kind: "note",
              root,
              folder,
              paths: paths.slice(0, limits.files + 1),
              folders,
              keep: isKept(),
              limits,
              deadlineMs: times.noteMs,
            },
            signal,
          ),
        );
        isCut = taken.isCut;
      }
      const { name, root } = project;
      await writeNoteHead(folder, { owner, project: name, root, since, startedAt, isCut, repository });
      signal.throwIfAborted();
      return folder;
    } catch (error) {
      await removeNote(folder);
      throw error;
    }
  }

  /** Never rejects. */
  async #end(folder: string, isShared: boolean): Promise<string | undefined> {
    const { log } = this.#options;
    try {
      const why = await this.#record(folder, isShared);
      await removeNote(folder);
      return why;
    } catch (error) {
      log.warn(`what a command changed is not recorded: ${String(error)}`);
      // What the end of the service cut off is recorded at the next start.
      if (error instanceof GitError || error instanceof NoteError) await removeNote(folder);
      return `what it changed is not recorded: ${reasonOf(error)}`;
    }
  }

  async #record(folder: string, isShared: boolean): Promise<string | undefined> {
    const head = await readNoteHead(folder);
    const project = head && this.#options.fence.projects.find(head.project);
    if (head === undefined || project?.root !== head.root) throw new NoteError("note.failed", "the project is gone");
    const compared = await this.#compare(folder, head, project);
    await recordDifferences(this.#options, { head, project, isShared, folder, differences: compared.differences });
    if (compared.more > 0) return `it changed ${compared.more} files more than are recorded`;
    return compared.isLate ? "it changed more files than could be compared" : undefined;
  }

  async #compare(folder: string, head: NoteHead, project: ReachableProject): Promise<Compared> {
    const { compareMs } = this.#options.times ?? TIMES;
    using late = this.#deadline(compareMs);
    const { signal } = late;
    const { owner, repository, isCut, startedAt } = head;
    const reading = { owner: `note:${owner.call}`, folder, signal };
    const now: RepositoryNow =
      repository === undefined
        ? { paths: [], folders: [""], clean: [] }
        : await readRepositoryNow(this.#options, repository, reading);
    if (repository !== undefined && isUntouched(repository, now)) return { differences: [], more: 0, isLate: false };
    return this.#inTree(project, (root) =>
      this.#threads.compare(
        {
          ...{ kind: "compare", root, folder, ...now, isCut, startedAt, most: MOST_CHANGES },
          deadlineMs: compareMs,
        },
        signal,
      ),
    );
  }

  /** Holds the project's folder meanwhile. */
  async #inTree<T>({ name }: ReachableProject, read: (root: TreeRoot) => Promise<T>): Promise<T> {
    const { fence } = this.#options;
    await using located: Located = await fence.open({ project: name, path: ".", for: "list" });
    const { here, absolute: real } = located;
    return await read({ holding: fence.holding, here, real, hidden: await located.hiddenBelow() });
  }

  #deadline(ms: number, canceled?: AbortSignal): { readonly signal: AbortSignal } & Disposable {
    const late = new AbortController();
    const timer = this.#options.clock.setTimeout(
      () => late.abort(new NoteError("note.late", "reading its files took too long")),
      ms,
    );
    const signal = canceled === undefined ? late.signal : AbortSignal.any([late.signal, canceled]);
    return { signal, [Symbol.dispose]: () => timer.cancel() };
  }
}

/** Whether a repository has nothing but what its index has, before and after. */
function isUntouched(before: RepositoryNote, { paths, folders, clean }: RepositoryNow): boolean {
  const counts = [before.changed, before.untracked, paths, folders, clean].map(({ length }) => length);
  return counts.every((count) => count === 0);
}

function isWithin(root: string, other: string): boolean {
  return other === root || other.startsWith(join(root, "/"));
}

function reasonOf(error: unknown): string {
  return error instanceof GitError || error instanceof NoteError ? error.message : "its files cannot be read";
}

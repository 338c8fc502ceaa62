import { inParallel } from "../collection/index.ts";
import type { ChangeFilter } from "./change-store.ts";
import type { FileChange } from "./file-change.ts";
import { FileHistory, type FileHistoryOptions } from "./file-history.ts";
import { FileHistoryError } from "./file-history-error.ts";
import { type FoldedDiff, foldChanges } from "./fold-changes.ts";
import { finishUndo, MOST_UNDONE_CHANGES, type UndoneFile, undoChanges } from "./undo.ts";

/** A change, and whether its file still is as it left it. */
export interface ListedChange extends FileChange {
  readonly current: "unchanged" | "changed" | "missing";
}

/** Changes that are to be taken back: of turns with what they delegated, or single ones. */
export type UndoRequest = { readonly tasks: readonly string[] } | { readonly ids: readonly string[] };

export interface Undone {
  readonly id: string;
  readonly files: readonly UndoneFile[];
}

const DAY_MS = 86_400_000;
const BATCH = 100;
const AT_A_TIME = 8;

/** What operators see and do of changes, and what the engine does about them by itself. */
export class FileChanges {
  readonly history: FileHistory;
  readonly #options: FileHistoryOptions;

  constructor(options: FileHistoryOptions) {
    this.#options = options;
    this.history = new FileHistory(options);
  }

  /** Newest first. `before`: the last one of the page before. */
  async list(filter: ChangeFilter, limit: number, before?: string): Promise<readonly ListedChange[]> {
    const changes = await this.history.store.list(filter, limit, before);
    const places = new Map(changes.map((change) => [`${change.root}\0${change.path}`, change]));
    const digests = new Map(
      await inParallel([...places], AT_A_TIME, async ([place, change]) => {
        return [place, await this.history.currentDigest(change)] as const;
      }),
    );
    return changes.map((change) => {
      const digest = digests.get(`${change.root}\0${change.path}`);
      if (digest === change.after) return { ...change, current: "unchanged" };
      return { ...change, current: digest === undefined || digest === "unreachable" ? "missing" : "changed" };
    });
  }

  /** What the changes came to, file by file. */
  async diff(filter: ChangeFilter): Promise<FoldedDiff> {
    const changes = await this.history.store.list(filter, MOST_UNDONE_CHANGES + 1);
    const { known } = this.#options.redactor;
    const folded = await foldChanges(changes.slice(0, MOST_UNDONE_CHANGES), this.history, known);
    return changes.length > MOST_UNDONE_CHANGES ? { ...folded, truncated: true } : folded;
  }

  /**
   * Takes changes back (F17). `preview`: changes nothing and answers the same.
   * @throws FileHistoryError unknown, running, too-many
   */
  async undo(request: UndoRequest, { preview }: { readonly preview: boolean }): Promise<Undone> {
    const { newId, clock, bus } = this.#options;
    const changes = await ("ids" in request ? this.#byIds(request.ids) : this.#ofTasks(request.tasks));
    const tasks = [...new Set(changes.map(({ task }) => task))];
    if (await this.history.store.isRunning(tasks))
      throw new FileHistoryError("file-history.running", "the turn that made these changes still runs");
    const id = newId();
    const options = { history: this.history, newId, now: () => clock.now() };
    const files = await undoChanges(changes, { id, preview }, options);
    const done = files.filter(({ result }) => result === "restored" || result === "removed").length;
    if (!preview && done > 0) bus.publish("files.undone", { undo_id: id, files: done, conflicts: files.length - done });
    return { id, files };
  }

  /** Bytes on the disk of what files held, and the bound. */
  usage(): Promise<{ readonly bytes: number; readonly limit: number }> {
    return this.history.images.usage();
  }

  /** Finishes what a former process began: tells whether changes were made, and ends each undo (FC2, F17). */
  async recover(): Promise<void> {
    const { store } = this.history;
    let after = "";
    for (;;) {
      const page = await store.intended(after, BATCH);
      await inParallel(page, AT_A_TIME, async (change) => {
        if (change.origin === "undo") await finishUndo(change, this.history);
        else await this.history.settle(change);
      });
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  /** Removes what is kept of tasks that are removed (FC6). */
  async forgetTasks(tasks: readonly string[]): Promise<void> {
    const { store, images } = this.history;
    const digests = await store.imagesOfTasks(tasks);
    if (digests === undefined) return;
    await store.removeOfTasks(tasks);
    await images.removeUnneeded(digests);
  }

  async sweep(): Promise<void> {
    const { store, images } = this.history;
    for (;;) {
      const tasks = await store.tasksWithoutJournal(this.#options.clock.now() - DAY_MS, BATCH);
      if (tasks.length === 0) break;
      await store.removeOfTasks(tasks);
    }
    await images.sweep();
  }

  async #byIds(ids: readonly string[]): Promise<readonly FileChange[]> {
    if (ids.length > MOST_UNDONE_CHANGES) throw tooMany();
    const wanted = [...new Set(ids)];
    const changes = await this.history.store.list({ ids: wanted }, wanted.length);
    if (changes.length < wanted.length) throw new FileHistoryError("file-history.unknown", "there is no such change");
    return changes;
  }

  /** What is in effect of what tasks did. */
  async #ofTasks(tasks: readonly string[]): Promise<readonly FileChange[]> {
    const { store } = this.history;
    const found = new Map<string, FileChange>();
    for (const task of tasks) {
      const changes = await store.list({ task }, MOST_UNDONE_CHANGES + 1);
      if (changes.length === 0 && !(await store.taskExists(task)))
        throw new FileHistoryError("file-history.unknown", "there is no such turn");
      if (await store.isRunning(await store.withDelegated(task)))
        throw new FileHistoryError("file-history.running", "the turn still runs");
      for (const change of changes)
        if (change.origin !== "undo" && change.undoneBy === undefined) found.set(change.id, change);
    }
    if (found.size > MOST_UNDONE_CHANGES) throw tooMany();
    return [...found.values()];
  }
}

function tooMany(): FileHistoryError {
  const message = `one undo takes back at most ${MOST_UNDONE_CHANGES.toLocaleString("en")} changes`;
  return new FileHistoryError("file-history.too-many", message);
}

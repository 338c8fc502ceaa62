/**
 * Changes of files as effects that are journaled with what was there before.
 *
 * Invariants
 *  FC1  What the file held is on the disk, then the row with both digests is committed, then the file is replaced, then the
 *       call ends: one commit more than a call without a change.
 *  FC2  Whether a change was made is decided by the file and the two digests, however the process ended.
 *  FC3  A change is taken back only where the file still is what the change left.
 *  FC4  Nothing of git is touched.
 *  FC5  What cannot be kept is said before the change is made; without room the change is refused.
 *  FC6  A change goes with its turn; what files held goes when no change needs it, and the oldest beyond the bound.
 */
import { join } from "node:path";
import type { EventBus } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import type { Database } from "../database/index.ts";
import { type Access, type Fence, FenceRefusal, type Located, temporaryName } from "../fence/index.ts";
import { countLineChanges } from "../line-changes/index.ts";
import type { EngineLog } from "../log/index.ts";
import type { Redactor } from "../redaction/index.ts";
import { ChangeStore } from "./change-store.ts";
import type { ChangeOwner, FileChange, IrreversibleReason, NewChange } from "./file-change.ts";
import { FileHistoryError } from "./file-history-error.ts";
import { type FileState, MOST_FILE_BYTES, stateOf } from "./file-state.ts";
import { digestOf, ImageFiles } from "./image-files.ts";
import { ImageKeeper } from "./image-keeper.ts";
import { KeyedLock } from "./keyed-lock.ts";

export interface FileHistoryOptions {
  readonly db: Database;
  readonly fence: Fence;
  /** Where what files held is kept. */
  readonly folder: string;
  /** Bytes that it may take on the disk; asked at each use. 0: nothing is kept, and nothing can be taken back. */
  readonly limitBytes: () => number;
  readonly clock: Pick<Clock, "now">;
  /** Ids that sort by time. */
  readonly newId: () => string;
  readonly redactor: Pick<Redactor, "known">;
  readonly bus: EventBus;
  readonly log: EngineLog;
}

/** What is to be done with one file. */
export interface WantedChange {
  readonly owner: ChangeOwner;
  readonly project?: string | undefined;
  readonly path: string;
  readonly access: Access & ("write" | "delete");
  readonly signal: AbortSignal;
  /**
   * What the file is to hold; undefined: it is removed. Called again where another process changed the file meanwhile. What it
   * throws refuses the change.
   */
  content(current: FileState | undefined, located: Located): Uint8Array | undefined;
}

/** A change that was made; `unchanged`: the file held that already. */
export interface MadeChange {
  readonly project: string;
  readonly path: string;
  /** The real path. */
  readonly absolute: string;
  readonly outcome: "created" | "modified" | "deleted" | "unchanged";
  readonly added: number;
  readonly removed: number;
  /** Undefined: it can be taken back. */
  readonly reason: IrreversibleReason | undefined;
  /** What lies there since. */
  readonly stat: Located["stat"];
}

/** Whether a change was made; `unclear`: the file is neither what it was nor what it was to be. */
export type Settled = "done" | "void" | "unclear";

/** Tries of one change while another process changes the file (F8). */
const TRIES = 3;

export class FileHistory {
  readonly store: ChangeStore;
  readonly images: ImageKeeper;
  readonly files: ImageFiles;
  readonly #options: FileHistoryOptions;
  /** By real path: whoever changes a file is alone with it. */
  readonly lock = new KeyedLock();
  readonly #settling = new Set<Promise<void>>();

  constructor(options: FileHistoryOptions) {
    const { db, folder, limitBytes, redactor, clock } = options;
    this.#options = options;
    this.store = new ChangeStore(db);
    this.files = new ImageFiles(folder, MOST_FILE_BYTES);
    const now = (): number => clock.now();
    this.images = new ImageKeeper({ store: this.store, files: this.files, limitBytes, redactor, now });
  }

  get fence(): Fence {
    return this.#options.fence;
  }

  /**
   * Changes one file (FC1). Changes of the same file wait for each other.
   * @throws FenceRefusal, FileHistoryError, DatabaseError; nothing changed then
   */
  async change(wanted: WantedChange): Promise<MadeChange> {
    const { project, path, access } = wanted;
    const open = (): Promise<Located> => this.fence.open({ project, path, for: access });
    await using first = await open();
    const isAlone = !this.lock.isHeld(first.absolute);
    return await this.lock.run(first.absolute, async () => {
      for (let left = TRIES; ; left--) {
        try {
          if (left === TRIES && isAlone) return await this.#changeOnce(wanted, first);
          await using again = await open();
          return await this.#changeOnce(wanted, again);
        } catch (error) {
          if (!(error instanceof FenceRefusal) || error.code !== "fence.changed") throw error;
          if (left > 1) continue;
          const why = `another process keeps changing ${JSON.stringify(path)}: it was left as it is`;
          throw new FileHistoryError("file-history.changed", why, { cause: error });
        }
      }
    });
  }

  /** Why a change of this file could not be taken back; undefined: it can be. @throws FenceRefusal */
  async irreversible(
    request: Pick<WantedChange, "project" | "path" | "access">,
  ): Promise<IrreversibleReason | undefined> {
    const { project, path, access } = request;
    await using located = await this.fence.open({ project, path, for: access });
    return this.images.refusal(await stateOf(located));
  }

  /**
   * Whether a call that a crash or a cancel left open changed its file (FC2): the change, or undefined where it did not.
   * @throws FileHistoryError unclear where the file is neither what it was nor what it was to be
   */
  async reconcile(owner: Pick<ChangeOwner, "task" | "call">): Promise<FileChange | undefined> {
    const change = await this.store.ofCall(owner.task, owner.call);
    if (change === undefined || change.state === "done") return change;
    const settled = await this.lock.run(join(change.root, change.path), () => this.settle(change));
    if (settled === "done") return { ...change, state: "done" };
    if (settled === "void") return undefined;
    throw new FileHistoryError("file-history.unclear", "the file is neither what it was nor what it was to be");
  }

  /** Settles a change that may have been made or not by the file as it is now. */
  async settle(change: FileChange): Promise<Settled> {
    await this.#removeTemporary(change);
    const settled = await this.look(change);
    if (settled === "done" && change.origin === "undo") await this.store.undone([change.id]);
    else if (settled === "done") await this.store.done([change.id]);
    else if (settled === "void") await this.store.notDone([change.id]);
    return settled;
  }

  /** Whether a change was made, as the file tells. */
  async look(change: FileChange): Promise<Settled> {
    const state = await this.#currentState(change);
    const [digest, mode] = state === "unreachable" ? [state, undefined] : [state?.digest, state?.mode];
    // Only who may use it was changed.
    if (change.before === change.after && change.beforeMode !== change.afterMode && digest === change.after)
      return mode === change.afterMode ? "done" : mode === change.beforeMode ? "void" : "unclear";
    if (digest === change.after) return "done";
    return digest === change.before ? "void" : "unclear";
  }

  /** What lies at the place of a change; undefined: nothing, `unreachable`: it cannot be looked at. */
  async currentDigest(change: FileChange): Promise<string | undefined> {
    const state = await this.#currentState(change);
    return state === "unreachable" ? state : state?.digest;
  }

  async #currentState({ project, root, path, after }: FileChange): Promise<FileState | undefined | "unreachable"> {
    // A link that a change left is looked at itself.
    const access = after?.startsWith("link:") === true ? "delete" : "read";
    try {
      await using located = await this.fence.open({ project, path: join(root, path), for: access });
      return await stateOf(located);
    } catch (error) {
      if (!(error instanceof FenceRefusal)) throw error;
      return error.code === "fence.missing" ? undefined : "unreachable";
    }
  }

  /** Resolves when every change that was made is committed as made. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#settling);
  }

  async #changeOnce(wanted: WantedChange, located: Located): Promise<MadeChange> {
    const current = await stateOf(located);
    const { project, path, absolute } = located;
    const content = wanted.content(current, located);
    const after = content && digestOf(content);
    const made = { project: project.name, path, absolute, reason: undefined, stat: located.stat };
    if (after === current?.digest) return { ...made, outcome: "unchanged", added: 0, removed: 0 };
    const image = await this.images.keep(current);
    try {
      const change = this.#newChange(wanted, located, { current, content, after, reason: image.reason });
      await this.store.intend([change], image.image === undefined ? [] : [image.image]);
      const stat = await this.#make(wanted, located, change, content);
      const outcome = `${change.operation}d`.replace("modifyd", "modified") as MadeChange["outcome"];
      return { ...made, outcome, added: change.added, removed: change.removed, reason: image.reason, stat };
    } finally {
      image.release();
    }
  }

  async #make(
    { owner, signal }: WantedChange,
    located: Located,
    change: NewChange,
    content: Uint8Array | undefined,
  ): Promise<Located["stat"]> {
    try {
      if (signal.aborted) throw new FileHistoryError("file-history.canceled", "the call was canceled: nothing changed");
      const stat =
        content === undefined
          ? await located.remove().then(() => undefined)
          : await located.replace(content, { temporary: change.id });
      this.#settleLater(owner, change);
      return stat;
    } catch (error) {
      const intended = { ...change, context: "", state: "intended", undoneBy: undefined } as const;
      const settled = await this.#settleFailed(intended, error).catch((cause: unknown) => {
        this.#options.log.warn(`file history: a change is settled at the next start: ${String(cause)}`);
        return "unclear";
      });
      // The file was replaced, and what failed came after that.
      if (settled === "done") return undefined;
      throw error;
    }
  }

  async #settleFailed(change: FileChange, error: unknown): Promise<Settled> {
    const settled = await this.settle(change);
    // Somebody else's content lies there, and it was not replaced.
    const isOthers = settled === "unclear" && error instanceof FenceRefusal && error.code === "fence.changed";
    if (isOthers) await this.store.notDone([change.id]);
    return settled;
  }

  /** The commit shares the disk's flush with that of the call's outcome, which comes after it (DB2). */
  #settleLater(owner: ChangeOwner, change: NewChange): void {
    const { bus, log } = this.#options;
    const { id, project, path, operation, origin } = change;
    const settling = this.store
      .done([id])
      .then(() => void bus.publish("files.changed", { id, task_id: owner.task, project, path, op: operation, origin }))
      .catch((error: unknown) => log.warn(`file history: ${String(error)}`))
      .finally(() => void this.#settling.delete(settling));
    this.#settling.add(settling);
  }

  #newChange(
    { owner }: WantedChange,
    { project, path }: Located,
    what: {
      readonly current: FileState | undefined;
      readonly content: Uint8Array | undefined;
      readonly after: string | undefined;
      readonly reason: IrreversibleReason | undefined;
    },
  ): NewChange {
    const { current, content, after, reason } = what;
    const { newId, clock } = this.#options;
    return {
      ...{ id: newId(), ...owner, project: project.name, root: project.root ?? "", path, origin: "tool" },
      operation: content === undefined ? "delete" : current === undefined ? "create" : "modify",
      ...{ before: current?.digest, after, beforeMode: current?.mode, afterMode: content && current?.mode },
      bytes: Math.max(current?.bytes ?? 0, content?.byteLength ?? 0),
      ...countLineChanges(current?.content, content),
      ...{ reason, undo: "", undoes: [], uncertain: false, at: clock.now() },
    };
  }

  /** What a kill left beside the file. */
  async #removeTemporary({ project, root, path, id }: FileChange): Promise<void> {
    try {
      const name = join(root, path, "..", temporaryName(id));
      await using located = await this.fence.open({ project, path: name, for: "delete" });
      await located.remove();
    } catch (error) {
      if (!(error instanceof FenceRefusal)) throw error;
    }
  }
}

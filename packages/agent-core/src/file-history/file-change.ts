export type ChangeOperation = "create" | "modify" | "delete";

/** Who made a change: a file tool, a command that a tool ran, or somebody who took others back. */
export type ChangeOrigin = "tool" | "command" | "undo";

/** `intended`: the file is about to be changed; whether it was is decided by its digests. */
export type ChangeState = "intended" | "done";

/** Why a change cannot be taken back. */
export type IrreversibleReason =
  /** The file is too large to keep what it held. */
  | "too_large"
  /** What it held contains a secret that the service knows, or its name says that it holds one. */
  | "secret"
  /** `filesystem.history_mb` is 0. */
  | "history_off"
  /** What it held was removed, to stay within `filesystem.history_mb`. */
  | "expired"
  /** It was a link. */
  | "link"
  /** What a command found there is not known, or was too much to be kept. */
  | "not_kept";

/** Whose change it is. */
export interface ChangeOwner {
  /** Blank: no call makes it. */
  readonly call: string;
  readonly task: string;
  readonly class: string;
}

/** A file of a project. */
export interface FilePlace {
  readonly project: string;
  /** Real path of the project's folder. */
  readonly root: string;
  /** Below the root, without links. */
  readonly path: string;
}

/** One change of one file, as its row has it. */
export interface FileChange extends FilePlace, ChangeOwner {
  /** Sorts by time. */
  readonly id: string;
  /** The conversation of the turn that made it, or that delegated it. */
  readonly context: string;
  readonly operation: ChangeOperation;
  readonly origin: ChangeOrigin;
  /** SHA-256 of what the file held; undefined: there was none. */
  readonly before: string | undefined;
  /** The same of what it holds since. */
  readonly after: string | undefined;
  readonly beforeMode: number | undefined;
  readonly afterMode: number | undefined;
  /** Of the larger of the two. */
  readonly bytes: number;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  readonly state: ChangeState;
  /** Undefined: it can be taken back. */
  readonly reason: IrreversibleReason | undefined;
  /** Of an undo: its id, shared by the files it took back together. */
  readonly undo: string;
  /** Of an undo: the changes of this file that it takes back. */
  readonly undoes: readonly string[];
  /** The change that took this one back. */
  readonly undoneBy: string | undefined;
  /** Of a command: another one, or something else while the service was down, may have made it. */
  readonly uncertain: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A change that is about to be made. */
export type NewChange = Omit<FileChange, "context" | "state" | "undoneBy">;

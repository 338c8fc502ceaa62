/** What a thread is asked about the files of a project, before a command and after it, and what it answers. */
import type { Holding } from "../fence/index.ts";
import type { IrreversibleReason } from "../file-history/index.ts";

/** A project's folder, and what of it is not reached. */
export interface TreeRoot {
  readonly holding: Holding;
  /** Leads to the folder while the caller holds it. */
  readonly here: string;
  /** Its real path. */
  readonly real: string;
  readonly hidden: readonly string[];
}

/** Bounds of what is noted. */
export interface NoteLimits {
  readonly files: number;
  /** Of one file whose content is kept. */
  readonly fileBytes: number;
  /** Of all contents together. */
  readonly totalBytes: number;
}

/** Milliseconds that the two readings of a folder may take. */
export interface NoteTimes {
  readonly noteMs: number;
  readonly compareMs: number;
}

/** A file as it was before a command. */
export interface NotedFile {
  readonly path: string;
  /** Which file, how large, and when it was changed: as long as this is the same, so is the file. */
  readonly stat: string;
  /** Of its content; where that was not read, what tells it from others. */
  readonly digest: string;
  readonly mode: number;
  readonly bytes: number;
  /** Where in the note's contents its own begins. */
  readonly at?: number;
  /** Why its content is not kept. */
  readonly reason?: IrreversibleReason;
}

/** A file that was as the index of its repository has it. */
export interface CleanFile {
  readonly path: string;
  /** As git has it: `100755` may be executed, `120000` is a link. */
  readonly mode: string;
  readonly blob: string;
  readonly bytes: number;
  /** Where in the note's blobs its content begins. */
  readonly at?: number;
  readonly reason?: IrreversibleReason;
}

interface TreeJob {
  readonly root: TreeRoot;
  /** The note's own folder. */
  readonly folder: string;
  /** Files below the root. */
  readonly paths: readonly string[];
  /** Folders below the root that are walked; blank: the root itself. */
  readonly folders: readonly string[];
  readonly deadlineMs: number;
}

/** Notes files before a command. */
export interface NoteJob extends TreeJob {
  readonly kind: "note";
  /** False: no contents are kept. */
  readonly keep: boolean;
  readonly limits: NoteLimits;
}

/** Compares files with what was noted of them. */
export interface CompareJob extends TreeJob {
  readonly kind: "compare";
  readonly clean: readonly CleanFile[];
  /** The note has not all files. */
  readonly isCut: boolean;
  /** When the note was begun, epoch milliseconds. */
  readonly startedAt: number;
  /** Differences beyond that are counted. */
  readonly most: number;
}

/** What lies somewhere. */
export interface FileSide {
  readonly digest: string;
  readonly mode: number;
  readonly bytes: number;
}

/** A file that is other than before. */
export interface Difference {
  readonly path: string;
  /** Undefined: there was none. */
  readonly before: (FileSide & { readonly from?: { readonly file: NoteFile; readonly at: number } }) | undefined;
  readonly after: FileSide | undefined;
  readonly added: number;
  readonly removed: number;
  readonly reason: IrreversibleReason | undefined;
}

/** The files of a note that hold contents. */
export type NoteFile = "contents" | "blobs";

/** Whether contents hold a secret that the service knows, is asked before they are kept. */
export interface SecretQuestion {
  readonly contents: readonly Uint8Array[];
}

/** What a note has become. */
export interface NoteTaken {
  readonly noted: number;
  /** There are more files than were noted. */
  readonly isCut: boolean;
}

/** What a comparison has found. */
export interface Compared {
  readonly differences: readonly Difference[];
  /** Files that differ and are not among them. */
  readonly more: number;
  /** The time was up: there may be more. */
  readonly isLate: boolean;
}

export type TreeAnswer = SecretQuestion | { readonly taken: NoteTaken } | { readonly compared: Compared };

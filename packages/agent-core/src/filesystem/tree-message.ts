/** What a thread is asked about a tree, and what it answers. */
import type { Holding } from "../fence/index.ts";

/** Where a walk begins, and what it leaves out. */
export interface TreeStart {
  readonly holding: Holding;
  /** Leads to the folder while the caller holds it. */
  readonly here: string;
  /** The folder's real path. */
  readonly real: string;
  /** Below the project's root, for what is shown; blank for the root. */
  readonly path: string;
  /** Only this name of the folder; undefined: all of it. */
  readonly only?: string;
  /** Folders that are not entered and files that are not read. */
  readonly hidden: readonly string[];
  /** The `.gitignore` of the folders above, from the root down: the part of `path` that they count for. */
  readonly ignores: readonly { readonly base: string; readonly rules: string }[];
  readonly includeIgnored: boolean;
}

export interface FindJob {
  readonly kind: "find";
  readonly start: TreeStart;
  readonly glob: string;
  readonly limit: number;
  readonly deadlineMs: number;
}

export interface SearchJob {
  readonly kind: "search";
  readonly start: TreeStart;
  readonly pattern: string;
  readonly flags: string;
  /** The pattern is plain text, to be found as it is. */
  readonly literal: boolean;
  readonly glob: string;
  readonly context: number;
  readonly output: "content" | "files" | "count";
  readonly limit: number;
  readonly deadlineMs: number;
}

export type TreeJob = FindJob | SearchJob;

/** What was left out so far. */
export interface Skipped {
  ignored: number;
  binary: number;
  large: number;
  secret: number;
  unreadable: number;
}

/** Lines that are new, with what was left out until then. */
export interface TreePart {
  readonly lines: readonly string[];
  readonly skipped: Skipped;
  /** The job is over; why, where it is not complete. */
  readonly ended?: "all" | "limit" | "time";
}

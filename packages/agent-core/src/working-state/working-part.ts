/** What of a conversation's open work is shown (G26), in the order it is shown in. */
export const WORKING_KINDS = ["goal", "issues", "watches", "jobs"] as const;
/** One of `WORKING_KINDS`: at most 12 issues, 10 watches and 10 jobs are shown, and 1,500 characters of a goal. */
export type WorkingKind = (typeof WORKING_KINDS)[number];

/** Something that is open. */
export interface WorkingRow {
  /** Times in it are absolute, and nothing in it changes while nothing happens: a row that is unchanged is not shown again. */
  readonly text: string;
  /** It was written in a conversation with content from outside (G29): it is shown as such, and marks the conversation. */
  readonly outside: boolean;
}

/** All of a kind that is open for a conversation, what matters most first. */
export interface WorkingPart {
  readonly kind: WorkingKind;
  readonly rows: readonly WorkingRow[];
  /** Others that are open and not among `rows`. Absent: none. */
  readonly more?: number;
}

/** Whose open work is asked for: a conversation of the operator's. */
export interface WorkingAsk {
  readonly class: string;
  readonly context: string;
}

/**
 * Says what is open. Asked before the first model call of every turn, so it answers from memory where it can, and within a
 * bound of its own. Undefined: nothing is open.
 */
export type WorkingSource = (ask: WorkingAsk) => WorkingPart | undefined | Promise<WorkingPart | undefined>;

const LINE_CHARS = 100;

/** A text as a part of a row: one line, cut. */
export function workingLine(text: string, most = LINE_CHARS): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length <= most ? flat : `${flat.slice(0, most - 1).toWellFormed()}…`;
}

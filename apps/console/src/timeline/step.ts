import type { JournalRow, TaskRow } from "./journal.ts";

/** A stretch of time: epoch milliseconds. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** How a step went. `interrupted`: nothing says how it ended. */
export type StepState = "running" | "waiting" | "done" | "failed" | "interrupted";

/** One row of a timeline: a model call, a tool call, a wait in line, or a moment. */
export interface Step extends Span {
  /** Unique among the steps of a timeline. */
  readonly id: string;
  readonly kind: "queue" | "model" | "tool" | "moment";
  readonly label: string;
  readonly state: StepState;
  /** Parts of it that a person was waited for. */
  readonly waits: readonly Span[];
  readonly usage: TaskRow["usage"] | null;
  /** US dollars, estimated. */
  readonly costUsd: number | null;
  /** What else there is to say, in a few words. */
  readonly note: string;
  /** The lines of the journal that tell of it. */
  readonly rows: readonly JournalRow[];
  /** What it did through others: calls inside of it, tasks of subagents. */
  readonly branches: readonly Branch[];
}

/** Steps below a step. */
export interface Branch {
  readonly id: string;
  readonly label: string;
  /** Absent: calls of the same task. */
  readonly task?: TaskRow;
  readonly steps: readonly Step[];
  /** Not all of it was read. */
  readonly more: boolean;
}

import type { JournalRow, TaskRow } from "./journal.ts";

/** A stretch of time: epoch milliseconds. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** The outcome of a step. `interrupted`: none was recorded. */
export type StepState = "running" | "waiting" | "done" | "failed" | "interrupted";

/** One row of a timeline: a model call, a tool call, a wait in the queue, or a moment. */
export interface Step extends Span {
  /** Unique among the steps of a timeline. */
  readonly id: string;
  readonly kind: "queue" | "model" | "tool" | "moment";
  readonly label: string;
  readonly state: StepState;
  /** How long it worked, by the engine's own measure, which the chat shows too; undefined while it runs. */
  readonly ms: number | undefined;
  /** Spans in which it waited for a person. */
  readonly waits: readonly Span[];
  readonly usage: TaskRow["usage"] | null;
  /** US dollars, estimated. */
  readonly costUsd: number | null;
  /** A short note besides the label. */
  readonly note: string;
  /** The journal rows it is made of. */
  readonly rows: readonly JournalRow[];
  /** The steps inside of it: inner calls, tasks of subagents. */
  readonly branches: readonly Branch[];
}

/** Steps below a step. */
export interface Branch {
  readonly id: string;
  readonly label: string;
  /** Absent: calls of the same task. */
  readonly task?: TaskRow;
  readonly steps: readonly Step[];
  /** Its journal was read in part only. */
  readonly more: boolean;
}

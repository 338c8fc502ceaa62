/** What a turn did before its answer, as people read it. */
import type { CallImage, CallOutcome, RecalledItem, SkippedApproval } from "../event/index.ts";

/** A tool call that ended. */
export interface TurnToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, at most 800 characters; undefined where its start has left the journal. */
  readonly args: string | undefined;
  /** What people read of it, in the tool's words. */
  readonly title: string | undefined;
  readonly outcome: CallOutcome;
  readonly ms: number;
  /** Why no person was asked about it; absent: nothing asks for approval of it, or a person was asked. */
  readonly skipped?: SkippedApproval;
  /** Those of its result; absent: it had none. */
  readonly images?: readonly TurnImage[];
}

/** An image of a tool call's result. */
export interface TurnImage extends CallImage {
  /** Under which its content is read, as that of an attached file. */
  readonly id: string;
}

/** A memory that the turn was shown. `always`: every turn is; `hit`: it fitted this one. */
export type TurnMemory = Pick<RecalledItem, "chunk" | "revision" | "kind">;

/** The model's reasoning in one step, before it answered or called tools. Times are epoch milliseconds. */
export interface TurnThought {
  /** The beginning of it, up to 8,000 characters. */
  readonly text: string;
  readonly truncated: boolean;
  /** Tool calls that had ended before: its position among them. */
  readonly callsBefore: number;
  /** When its first piece and its last one were stored. */
  readonly startedAt: number;
  readonly endedAt: number;
}

import { CodedError } from "../error/index.ts";

/** Why an append was refused. `code` is stable. */
export type JournalErrorCode =
  /** The task reached a terminal state; nothing is added to it any more (EN3). */
  | "task_ended"
  /** No such task. */
  | "unknown_task";

/** A refused append or read. */
export class JournalError extends CodedError<JournalErrorCode> {
  override readonly name = "JournalError";
}

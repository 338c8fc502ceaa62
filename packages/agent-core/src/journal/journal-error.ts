/** Why an append was refused. `code` is stable. */
export type JournalErrorCode =
  /** The task reached a terminal state; nothing is added to it any more (EN3). */
  | "task_ended"
  /** No such task. */
  | "unknown_task";

/** A refused append or read. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly code: JournalErrorCode;
  constructor(code: JournalErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

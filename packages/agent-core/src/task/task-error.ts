import { CodedError } from "../error/index.ts";

/** What a caller of the task service got wrong, or why it cannot be served now. `code` is stable (architecture rule 8). */
export type TaskErrorCode =
  /** No such task for this caller. */
  | "unknown_task"
  /** The task does not wait for an answer. */
  | "not_waiting"
  /** The prompt named is no longer pending. */
  | "prompt_gone"
  /** Too much waits already; try again after `retryAfterSeconds`. */
  | "overloaded"
  /** The service is going down; try again after `retryAfterSeconds`. */
  | "draining"
  /** The idempotency key was used for a different request (A15). */
  | "key_conflict"
  /** This caller may not decide about what waits. */
  | "forbidden"
  /** A turn runs, waits or is parked in the context: what is asked needs it idle. */
  | "context_busy"
  /** There is no such command (R15). */
  | "unknown_command"
  /** The content is of a kind the agent does not take (A12). */
  | "unsupported_content";

const RETRYABLE: ReadonlySet<TaskErrorCode> = new Set(["overloaded", "draining", "context_busy"]);

/** A refused request; nothing changed. */
export class TaskError extends CodedError<TaskErrorCode> {
  override readonly name = "TaskError";
  readonly retryAfterSeconds: number | undefined;

  constructor(code: TaskErrorCode, message: string, retryAfterSeconds?: number) {
    super(code, message);
    this.retryAfterSeconds = retryAfterSeconds;
  }

  override get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

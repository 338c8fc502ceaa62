import { CodedError } from "../error/index.ts";

/** Why background work was refused. `code` is stable (architecture rule 8). */
export type BackgroundErrorCode =
  /** Too many jobs are open already; some must end first. */
  | "too_many"
  /** No such task can start jobs. */
  | "unknown_task"
  | "still_running";

const RETRYABLE: ReadonlySet<BackgroundErrorCode> = new Set(["too_many", "still_running"]);

/** A refused request; nothing changed. */
export class BackgroundError extends CodedError<BackgroundErrorCode> {
  override readonly name = "BackgroundError";

  override get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

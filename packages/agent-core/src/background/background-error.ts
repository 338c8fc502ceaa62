/** Why background work was refused. `code` is stable (architecture rule 8). */
export type BackgroundErrorCode =
  /** Too many jobs are open already; some must end first. */
  | "too_many"
  /** No such task can start jobs. */
  | "unknown_task"
  /** The job has not ended yet. */
  | "still_running";

/** A refused request; nothing changed. */
export class BackgroundError extends Error {
  override readonly name = "BackgroundError";
  readonly code: BackgroundErrorCode;
  constructor(code: BackgroundErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

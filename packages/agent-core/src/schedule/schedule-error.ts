import { CodedError } from "../error/index.ts";

/**
 * - `invalid`: what was asked cannot be stored; the message says why.
 * - `refused`: its check may not be set here.
 * - `taken`: there is a job of this id, or the same one.
 * - `unknown_job`: there is none of this id.
 * - `too_many`: as many jobs exist as may.
 * - `running`: a run of the job is open, and another may not begin beside it.
 * - `off`: schedules are switched off.
 */
export type JobErrorCode = "invalid" | "refused" | "taken" | "unknown_job" | "too_many" | "running" | "off";

const RETRYABLE: ReadonlySet<JobErrorCode> = new Set(["too_many", "running", "off"]);

/** A job that was refused; nothing has changed. */
export class JobError extends CodedError<JobErrorCode> {
  override readonly name = "JobError";
  /** The id of the same job, where there is one. */
  readonly twin: string | undefined;

  constructor(code: JobErrorCode, message: string, options: ErrorOptions & { readonly twin?: string } = {}) {
    super(code, message, options);
    this.twin = options.twin;
  }

  override get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

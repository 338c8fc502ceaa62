/** The object form of `detail` (B30). `code` is stable; `message` or `reason` is for people. */
export interface ProblemObject {
  readonly code: string;
  readonly message?: string;
  readonly reason?: string;
  readonly upstream_status?: number | null;
  readonly session_id?: string;
  readonly error_id?: string;
}

/** One entry of the list form of `detail`: what failed validation, where, and of which kind. It holds no submitted value. */
export interface ProblemEntry {
  /** From the outside in: `["body", "updates", "model.name"]`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** `detail` of every error body (B30): a text, the list of a 422, or an object. */
export type ProblemDetail = string | readonly ProblemEntry[] | ProblemObject;

/** What a refusal may carry beside the detail. */
export interface ProblemOptions extends ErrorOptions {
  /** Whole seconds after which to try again; sent as `Retry-After`. */
  readonly retryAfter?: number | undefined;
}

/**
 * A refusal with a status and a detail for the caller. Handlers throw it; whatever else they throw is a 500 whose cause
 * only the log has (B30). After a refusal nothing has changed.
 */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly detail: ProblemDetail;
  readonly retryAfter: number | undefined;

  constructor(status: number, detail: ProblemDetail, options: ProblemOptions = {}) {
    super(typeof detail === "string" ? detail : `HTTP ${status}`, options);
    this.status = status;
    this.detail = detail;
    this.retryAfter = options.retryAfter;
  }
}

/** The 503 of a feature that is not enabled or not built (B30, O4). `what` starts the sentence. */
export function notEnabled(what: string): Problem {
  return new Problem(503, `${what} is not enabled here.`);
}

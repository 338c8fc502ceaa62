import { CodedError } from "../error/index.ts";

/** What went wrong between us and a model. `code` is stable; `retryable` is part of the type (architecture rule 8). */
export type ModelErrorCode =
  | "rate_limited"
  | "upstream"
  | "network"
  | "timeout"
  | "bad_response"
  | "context_overflow"
  | "unauthorized"
  | "unknown_model"
  | "bad_request"
  | "lane_timeout";

const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set(["rate_limited", "upstream", "network", "timeout"]);

/** A failed model call. Messages never hold a key. */
export class ModelError extends CodedError<ModelErrorCode> {
  override readonly name = "ModelError";
  /** HTTP status of the upstream, when there was one. */
  readonly status: number | undefined;
  /** Milliseconds the upstream asked to wait (Retry-After). */
  readonly retryAfterMs: number | undefined;

  /** The provider had begun to answer, so its address and key are as they should be. */
  readonly hasAnswered: boolean;

  constructor(
    code: ModelErrorCode,
    message: string,
    options: { status?: number; retryAfterMs?: number; hasAnswered?: true; cause?: unknown } = {},
  ) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.hasAnswered = options.hasAnswered === true;
  }

  /** Whether another attempt may succeed (R6). */
  override get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

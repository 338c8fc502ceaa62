import { CodedError } from "../error/index.ts";

/** `too_many`: the task has enough of this class. `overloaded`: the service has; worth another try later. */
export type WebhookErrorCode = "too_many" | "overloaded";

const RETRYABLE: ReadonlySet<WebhookErrorCode> = new Set(["overloaded"]);

/** Why a push config was refused. `code` is stable. */
export class WebhookError extends CodedError<WebhookErrorCode> {
  override readonly name = "WebhookError";

  override get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

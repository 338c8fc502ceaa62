/** `too_many`: the task has enough of this class. `overloaded`: the service has; worth another try later. */
export type WebhookErrorCode = "too_many" | "overloaded";

/** A config that was not taken. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

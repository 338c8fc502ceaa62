import { CodedError } from "../error/index.ts";

/**
 * - `unknown_item`: there is none of this id.
 * - `full`: as many items wait as may.
 */
export type InboxErrorCode = "unknown_item" | "full";

const RETRYABLE: ReadonlySet<InboxErrorCode> = new Set(["full"]);

/** What the inbox refuses; nothing has changed. */
export class InboxError extends CodedError<InboxErrorCode> {
  override readonly name = "InboxError";

  override get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

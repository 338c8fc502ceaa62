import { CodedError } from "../error/index.ts";

/** Why a watch was refused. `off`: nothing is watched now. */
export type WatchErrorCode = "invalid" | "refused" | "unknown_watch" | "too_many" | "ended" | "off";

/** A refused request; nothing changed. */
export class WatchError extends CodedError<WatchErrorCode> {
  override readonly name = "WatchError";

  override get retryable(): boolean {
    return this.code === "off";
  }
}

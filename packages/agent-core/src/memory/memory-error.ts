import { CodedError } from "../error/index.ts";

/**
 * - `unknown_session`: there is no summary of this conversation.
 * - `damaged`: its file cannot be read.
 * - `harvest_failed`: no memories could be extracted from it.
 */
export type MemoryErrorCode = "unknown_session" | "damaged" | "harvest_failed";

/** Why a summary cannot be read, or no memories extracted, for people. */
export class MemoryError extends CodedError<MemoryErrorCode> {
  override readonly name = "MemoryError";
}

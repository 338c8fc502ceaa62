import { CodedError } from "../error/index.ts";

/**
 * - `unknown_session`: there is no summary of this conversation.
 * - `damaged`: its file cannot be read.
 */
export type MemoryErrorCode = "unknown_session" | "damaged";

/** Why a summary cannot be read, for people. */
export class MemoryError extends CodedError<MemoryErrorCode> {
  override readonly name = "MemoryError";
}

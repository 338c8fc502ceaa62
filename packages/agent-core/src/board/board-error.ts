import { CodedError } from "../error/index.ts";

/**
 * - `unknown_issue`: there is none of this id.
 * - `closed`: it is, and what was asked is for an open one.
 * - `full`: the board holds as many issues as it may.
 */
export type BoardErrorCode = "unknown_issue" | "closed" | "full";

/** What the board refuses; nothing has changed. */
export class BoardError extends CodedError<BoardErrorCode> {
  override readonly name = "BoardError";
}

import { CodedError } from "../error/index.ts";

/**
 * - `unknown_chunk`: there is none of this id.
 * - `full`: the store holds as many chunks as it may.
 * - `not_waiting`: a person decided about it otherwise before.
 * - `too_many_always_on`: there are as many always-on chunks as there may be.
 */
export type KnowledgeErrorCode = "unknown_chunk" | "not_waiting" | "full" | "too_many_always_on";

/** What the knowledge store refuses; nothing has changed. */
export class KnowledgeError extends CodedError<KnowledgeErrorCode> {
  override readonly name = "KnowledgeError";
}

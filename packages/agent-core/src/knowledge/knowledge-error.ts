import { CodedError } from "../error/index.ts";

/**
 * - `unknown_chunk`: there is none of this id.
 * - `full`: the store holds as many chunks as it may.
 * - `too_many_always_on`: there are as many always-on chunks as there may be.
 */
export type KnowledgeErrorCode = "unknown_chunk" | "full" | "too_many_always_on";

/** What the knowledge store refuses; nothing has changed. */
export class KnowledgeError extends CodedError<KnowledgeErrorCode> {
  override readonly name = "KnowledgeError";
}

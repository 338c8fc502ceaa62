import { CodedError } from "../error/index.ts";

/**
 * - `unknown_chunk`: there is none of this id.
 * - `full`: the store holds as many chunks as it may.
 * - `not_waiting`: a person decided about it otherwise before.
 * - `too_many_always_on`: there are as many always-on chunks as there may be.
 * - `unknown_source`: there is no such document.
 * - `too_late`: it was removed too long ago to be restored.
 * - `subject_taken`: another memory stands at its subject.
 * - `not_layered`: memories are not shared.
 * - `not_shareable`: this one is not shared, or cannot be.
 * - `commons_unwritable`: what is shared cannot be written.
 * - `of_commons`: it is shared, and changed where it is shared.
 * - `too_many_waiting`: as many documents as may wait to be read.
 * - `not_fetched`: an address did not give a document.
 * - `not_read`: the store could not take a document.
 * - `stopping`: the service stops.
 */
export type KnowledgeErrorCode =
  | "unknown_chunk"
  | "not_waiting"
  | "full"
  | "too_many_always_on"
  | "unknown_source"
  | "too_late"
  | "subject_taken"
  | "not_layered"
  | "not_shareable"
  | "commons_unwritable"
  | "of_commons"
  | "too_many_waiting"
  | "not_fetched"
  | "not_read"
  | "stopping";

/** What the knowledge store refuses; nothing has changed. */
export class KnowledgeError extends CodedError<KnowledgeErrorCode> {
  override readonly name = "KnowledgeError";
}

import { CodedError } from "../error/index.ts";

/** What a delegation got wrong. `code` is stable (architecture rule 8). */
export type DelegationErrorCode =
  /** There is no such role. */
  | "unknown_role"
  /** The role is switched off. */
  | "role_disabled"
  /** A subagent wanted to delegate; there is one level. */
  | "nested";

/** A delegation that was refused; nothing was started. */
export class DelegationError extends CodedError<DelegationErrorCode> {
  override readonly name = "DelegationError";
}

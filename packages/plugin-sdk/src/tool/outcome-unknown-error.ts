/**
 * Thrown by a tool that does not know whether its call happened: the request was sent and the connection was lost before
 * the answer. The call's outcome is `unknown` then (R3): `reconcile` is asked, the model reads that it may have
 * happened, and the same call in the same conversation needs a person's approval from then on. In a `pure` or
 * `idempotent` tool it is an ordinary error, since calling again is safe. The message is for the model.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = "OutcomeUnknownError";
  /** By this a host recognises it, also where a tool brought a copy of this package of its own. */
  readonly code = "tool.outcome-unknown";
}

/** Whether an error is an `OutcomeUnknownError`, of this or of another copy of this package. */
export function isOutcomeUnknown(error: unknown): error is OutcomeUnknownError {
  return error instanceof Error && (error as { code?: unknown }).code === "tool.outcome-unknown";
}

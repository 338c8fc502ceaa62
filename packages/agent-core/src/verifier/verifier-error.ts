import { CodedError } from "../error/index.ts";

/**
 * - `verifier.invalid`: what was asked for is no check that can be made; the message says why.
 * - `verifier.refused`: it may not be asked for from there.
 * - `verifier.failed`: the check was made and could not say whether the condition holds.
 */
export type VerifierErrorCode = "verifier.invalid" | "verifier.refused" | "verifier.failed";

/** A check that was not set, or that came to no verdict. */
export class VerifierError extends CodedError<VerifierErrorCode> {
  override readonly name = "VerifierError";

  override get retryable(): boolean {
    return this.code === "verifier.failed";
  }
}

/** A check that cannot be made. */
export function invalid(message: string): VerifierError {
  return new VerifierError("verifier.invalid", message);
}

/** A check that came to no verdict. */
export function failed(message: string, options?: ErrorOptions): VerifierError {
  return new VerifierError("verifier.failed", message, options);
}

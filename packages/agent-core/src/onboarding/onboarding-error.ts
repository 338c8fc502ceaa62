import { CodedError } from "../error/index.ts";

/**
 * - `onboarding.invalid`: this is no address of a repository.
 * - `onboarding.refused`: a setting, or what is there already, forbids it; the message names it.
 * - `onboarding.timeout`: cloning took longer than it may.
 * - `onboarding.too-large`: more would be on the disk than may be.
 * - `onboarding.failed`: git could not clone it.
 */
export type OnboardingErrorCode =
  | "onboarding.invalid"
  | "onboarding.refused"
  | "onboarding.timeout"
  | "onboarding.too-large"
  | "onboarding.failed";

/** A repository was not cloned, and nothing of it was left behind. */
export class OnboardingError extends CodedError<OnboardingErrorCode> {
  override readonly name = "OnboardingError";

  override get retryable(): boolean {
    return this.code === "onboarding.timeout" || this.code === "onboarding.failed";
  }
}

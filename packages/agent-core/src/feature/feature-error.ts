import { CodedError } from "../error/index.ts";

/** The steps of a feature's life that can fail. */
export type FeaturePhase = "open" | "seal" | "recover" | "start" | "quiesce" | "drain" | "beforeClose" | "close";

/**
 * `feature.unmet_need`: what it needs is not listed. `feature.circular_need`: it needs itself, by way of others.
 * `feature.duplicate`: two of one name. `feature.conflict`: two provide what only one may.
 */
export type FeatureErrorCode =
  | "feature.unmet_need"
  | "feature.circular_need"
  | "feature.duplicate"
  | "feature.conflict"
  | `feature.${FeaturePhase}_failed`;

/** A feature that cannot take part. `code` is stable; the reason of a failed phase is `cause`. */
export class FeatureError extends CodedError<FeatureErrorCode> {
  override readonly name = "FeatureError";
  readonly feature: string;
  constructor(code: FeatureErrorCode, feature: string, message: string, options?: ErrorOptions) {
    super(code, `feature ${feature}: ${message}`, options);
    this.feature = feature;
  }
}

/** Wraps what a phase threw; a FeatureError of an inner phase stays unchanged. */
export function phaseFailed(phase: FeaturePhase, feature: string, cause: unknown): FeatureError {
  if (cause instanceof FeatureError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new FeatureError(`feature.${phase}_failed`, feature, `${phase} failed: ${reason}`, { cause });
}

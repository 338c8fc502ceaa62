export { quotedEvidence, withoutMarks } from "./evidence.ts";
export { checks, type VerificationOptions, verification } from "./feature.ts";
export {
  type CheckRun,
  type CheckVerdict,
  holdsOutside,
  type PreparedCheck,
  type RawVerdict,
} from "./prepared-check.ts";
export { VerifierError, type VerifierErrorCode } from "./verifier-error.ts";
export type { VerifierSpec } from "./verifier-spec.ts";
export type { CheckAuthor, ListedVerifier, Verifiers } from "./verifiers.ts";

export { checks, type VerificationOptions, verification } from "./feature.ts";
export type { CheckRun, CheckVerdict, PreparedCheck, RawVerdict } from "./prepared-check.ts";
export { VerifierError, type VerifierErrorCode } from "./verifier-error.ts";
export type { VerifierSpec } from "./verifier-spec.ts";
export type { CheckAuthor, ListedVerifier, Verifiers } from "./verifiers.ts";

export type { AnyVerifier, Verdict, VerifierContext, VerifierDefinition } from "./verifier.ts";
export { defineVerifier } from "./verifier.ts";

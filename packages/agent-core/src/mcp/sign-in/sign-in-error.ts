import { CodedError } from "../../error/index.ts";

/**
 * - `unreachable`: the authorization server could not be asked; another time it may.
 * - `refused`: it said no, or what it says contradicts itself.
 * - `over`: what was granted is revoked or over, or the client is not known there any more.
 * - `unknown_state`: no sign-in waits for this answer: it took too long, was used, or began elsewhere.
 * - `not_possible`: the server's settings, or this service's, leave no way to sign in.
 */
export type SignInErrorCode = "unreachable" | "refused" | "over" | "unknown_state" | "not_possible";

/** A sign-in that did not come about. One sentence, without anything of the servers but their own short message. */
export class SignInError extends CodedError<SignInErrorCode> {
  override readonly name = "SignInError";
}

export { type Grant, grantSecrets, readGrant } from "./grant.ts";
export { OAUTH_CLIENT } from "./oauth-client.ts";
export { Renewals } from "./renewals.ts";
export type { ServerSignIn, UnaskedStep } from "./server-sign-in.ts";
export { SignInError, type SignInErrorCode } from "./sign-in-error.ts";
export {
  authorizationOf,
  CLIENT_SECRET,
  type Grants,
  type SignInSurroundings,
  signInOf,
  signInOperations,
} from "./sign-in-of.ts";

/**
 * Who a request comes from. `operator`: the bearer token or the API key, and everyone on an open instance. `federation`:
 * the semi-trusted peers' token. `anonymous`: no valid credential, which only public routes ever see (document 1,
 * Authentication 3 and 6; rulings A16, S3).
 */
export type CallerClass = "operator" | "federation" | "anonymous";

/** The caller of one request. */
export interface Caller {
  readonly class: CallerClass;
}

/** The three callers there are; handlers get these very objects, so comparing them by identity is fine too. */
export const callers: { readonly [Class in CallerClass]: Caller & { readonly class: Class } } = {
  operator: Object.freeze({ class: "operator" }),
  federation: Object.freeze({ class: "federation" }),
  anonymous: Object.freeze({ class: "anonymous" }),
};

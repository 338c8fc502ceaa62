import type { CallerClass } from "@agent-service/agent-core/host";

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

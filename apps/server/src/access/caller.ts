import type { CallerClass } from "@agent-service/agent-core/host";

export interface Caller {
  readonly class: CallerClass;
}

/** The three callers. Handlers get these very objects, so they may be compared by identity. */
export const callers: { readonly [Class in CallerClass]: Caller & { readonly class: Class } } = {
  operator: Object.freeze({ class: "operator" }),
  federation: Object.freeze({ class: "federation" }),
  anonymous: Object.freeze({ class: "anonymous" }),
};

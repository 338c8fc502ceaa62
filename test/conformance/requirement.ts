/** What a requirement of the protocol is, as data. */

/** The protocol's keyword; "stated" where its text requires something without one. */
export type Level = "MUST" | "MUST NOT" | "SHOULD" | "SHOULD NOT" | "stated";

/** Where a requirement holds: a binding of the protocol, the agent's card, a webhook, or everywhere. */
export type Binding = "any" | "JSON-RPC" | "HTTP+JSON" | "gRPC" | "custom" | "card" | "webhook";

/** The service's conformance to a requirement. */
export type Status = "met" | "deviation" | "not applicable";

/** One thing the protocol asks of a server. */
export interface Requirement {
  /** `R10-…` for A2A 1.0.1 and `R03-…` for 0.3.0, then the section of the specification and a number. */
  readonly id: string;
  readonly version: "1.0" | "0.3";
  readonly level: Level;
  readonly binding: Binding;
  /** One paraphrasing sentence; of a MUST NOT the thing that does not happen. */
  readonly text: string;
  readonly status: Status;
  /** Of a deviation: the requirement that wins, or what is missing. Of one that does not apply: why. */
  readonly why: string | undefined;
}

type Stated = [id: string, level: Level, binding: Binding, text: string];

function requirement([id, level, binding, text]: Stated, status: Status, why?: string): Requirement {
  return { id, version: id.startsWith("R10-") ? "1.0" : "0.3", level, binding, text, status, why };
}

/** A requirement that tests show to be met. */
export const met = (...stated: Stated): Requirement => requirement(stated, "met");

/** A requirement the service does not meet, and why. */
export const deviates = (why: string, ...stated: Stated): Requirement => requirement(stated, "deviation", why);

/** A requirement about something this service does not have, and why not. */
export const notApplicable = (why: string, ...stated: Stated): Requirement =>
  requirement(stated, "not applicable", why);

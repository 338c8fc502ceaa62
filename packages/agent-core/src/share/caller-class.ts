/**
 * Who a request comes from (A16, S3). `operator`: the bearer token or the API key, and everyone on an open
 * instance. `federation`: the semi-trusted peers' token. `anonymous`: no valid credential, which only public routes see.
 * Stored tasks may have other classes, of embedders; they count as peers.
 */
export type CallerClass = "operator" | "federation" | "anonymous";

/** The class that sees and may use everything. */
export const OPERATOR_CLASS = "operator" satisfies CallerClass;

import { EgressError } from "../egress/index.ts";

/**
 * The outcome of one POST (W2): `delivered` by a 2xx; `refused` by a 4xx, a redirect or the guard, and not tried
 * again; `failed` in a way that may pass. `reason` is for the log and holds no secret and no address.
 */
export type PostOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "refused" | "failed"; readonly reason: string };

export function outcomeOfStatus(status: number): PostOutcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  return { kind: status >= 500 ? "failed" : "refused", reason: `answered with ${status}` };
}

/** The outcome of a request without an answer. An error that is not the guard's counts as temporary. */
export function outcomeOfError(error: unknown): PostOutcome {
  if (!(error instanceof EgressError)) return { kind: "failed", reason: "the request failed" };
  return { kind: error.retryable ? "failed" : "refused", reason: error.message };
}

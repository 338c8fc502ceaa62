import { DatabaseError } from "@agent-service/agent-core";
import { Problem } from "@agent-service/operator-api";

/** The 503 of a store that takes or answers nothing for now (ruling S7); undefined for every other error. */
export function refusalOf(error: unknown): Problem | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  switch (error.code) {
    case "full":
      return new Problem(503, "The store is full: nothing was accepted.", { retryAfter: 60, cause: error });
    case "overloaded":
      return new Problem(503, "The store is busy: nothing was accepted.", { retryAfter: 1, cause: error });
    case "unreachable":
      return new Problem(503, "The store's server does not answer: nothing was accepted.", {
        retryAfter: 5,
        cause: error,
      });
    default:
      return undefined;
  }
}

import { OperatorApiError } from "@agent-service/operator-api/client";

/** Whether asking again would bring the same answer: the request was understood and refused. */
export function isFinal(error: unknown): boolean {
  return error instanceof OperatorApiError && error.status < 500 && error.status !== 429;
}

import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { requestKey, useApi } from "../api/index.ts";

/** What a person decides about what waits (O3). */
export interface Decision {
  readonly decision: "approve" | "decline" | "answer";
  readonly args?: { readonly [key: string]: unknown };
  readonly answer?: unknown;
  readonly note?: string;
  readonly remember?: boolean;
}

/** Sends a decision about the prompt `id`. Sent again after a lost connection it counts once (A15). */
export function useDecide(id: string): UseMutationResult<unknown, Error, Decision> {
  const { operator } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decision: Decision) =>
      operator.post("/api/approvals/{id}", { params: { id }, body: decision, idempotencyKey: requestKey() }),
    // Answered, or decided by somebody else meanwhile: what waits has changed either way.
    onSettled: () => queries.invalidateQueries({ queryKey: ["approvals"] }),
  });
}

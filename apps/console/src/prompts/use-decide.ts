import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { requestKey, useApi } from "../api/index.ts";

/** A person's decision about a prompt (O3). */
export interface Decision {
  readonly decision: "approve" | "decline" | "answer";
  readonly args?: { readonly [key: string]: unknown };
  readonly answer?: unknown;
  readonly note?: string;
  readonly remember?: boolean;
}

/** Sends a decision about the prompt `id`. Repeated after a lost connection, it counts once (A15). */
export function useDecide(id: string): UseMutationResult<unknown, Error, Decision> {
  const { operator } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decision: Decision) =>
      operator.post("/api/approvals/{id}", { params: { id }, body: decision, idempotencyKey: requestKey() }),
    // Decided here, or by another person meanwhile: the prompts have changed either way.
    onSettled: () => queries.invalidateQueries({ queryKey: ["approvals"] }),
  });
}

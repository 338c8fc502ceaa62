import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../api/index.ts";

/** What a call that waits would do, as the approvals API returns it (F28). */
export type Preview = AnswerOf<Extract<OperatorDefinition, { readonly name: "approvals.preview" }>>;

/** It is made when it is asked for: while a person reads, the file may change under it. */
const AGAIN_MS = 15_000;

/** The preview of a waiting prompt; undefined until it is read, and where it cannot be. */
export function usePreview(id: string, isWaiting: boolean): Preview | undefined {
  const { operator } = useApi();
  // Not among the queries that an answer makes stale: what was answered has no preview any more.
  const { data } = useQuery({
    queryKey: ["preview", id],
    queryFn: () => operator.get("/api/approvals/{id}/preview", { params: { id } }),
    enabled: isWaiting,
    // Of a tool that shows nothing there is nothing to look at again.
    refetchInterval: (query) => (query.state.data?.kind === "none" ? false : AGAIN_MS),
    retry: false,
  });
  return data;
}

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { pagedQuery, useApi } from "../../../api/index.ts";

/** What was recalled before model calls, newest first; of one conversation, or of all. */
export function useInjections(session: string | undefined) {
  const { operator } = useApi();
  return useInfiniteQuery(
    pagedQuery(["injections", "of", session ?? ""], (page) =>
      operator.get("/api/memory/injections", {
        query: { limit: 50, ...(session !== undefined && { session_id: session }), ...page },
      }),
    ),
  );
}

/** What a message would be shown in a new conversation. */
export function usePreview() {
  const { operator } = useApi();
  return useMutation({ mutationFn: (message: string) => operator.post("/api/memory/preview", { body: { message } }) });
}

/** Which turns saw a memory, newest first. */
export function useUses(memory: number) {
  const { operator } = useApi();
  return useInfiniteQuery(
    pagedQuery(["injections", "uses", memory], (page) =>
      operator.get("/api/knowledge/chunks/{chunk_id}/uses", {
        params: { chunk_id: String(memory) },
        query: { limit: 50, ...page },
      }),
    ),
  );
}

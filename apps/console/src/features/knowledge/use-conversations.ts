import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { pagedQuery, useApi } from "../../api/index.ts";
import { useMemoryChange } from "../../memory/index.ts";
import type { ConversationSummary } from "./memory-types.ts";

/** Summaries of conversations by pages, the newest first. */
export function useConversations() {
  const { operator } = useApi();
  return useInfiniteQuery(
    pagedQuery(["knowledge", "conversations"], (page) =>
      operator.get("/api/memory/sessions", { query: { limit: 50, ...page } }),
    ),
  );
}

/** One of them, with its text. */
export function useConversation(id: string) {
  const { operator } = useApi();
  return useQuery({
    queryKey: ["knowledge", "conversation", id],
    queryFn: () => operator.get("/api/memory/sessions/{session_id}", { params: { session_id: id } }),
  });
}

export function useRemoveConversation({ session_id }: ConversationSummary) {
  const { operator } = useApi();
  return useMemoryChange<void, unknown>(() =>
    operator.delete("/api/memory/sessions/{session_id}", { params: { session_id } }),
  );
}

/** Has a model extract memories from it now. */
export function useHarvest({ session_id }: ConversationSummary) {
  const { operator } = useApi();
  return useMemoryChange<void, { readonly harvested: boolean }>(() =>
    operator.post("/api/memory/sessions/{session_id}/harvest", { params: { session_id } }),
  );
}

/** What was forgotten, the newest first. */
export function useReceipts() {
  const { operator } = useApi();
  return useInfiniteQuery(
    pagedQuery(["knowledge", "receipts"], (page) =>
      operator.get("/api/memory/receipts", { query: { limit: 50, ...page } }),
    ),
  );
}

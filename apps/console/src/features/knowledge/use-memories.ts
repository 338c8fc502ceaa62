import { type UseMutationResult, useInfiniteQuery } from "@tanstack/react-query";
import { pagedQuery, useApi } from "../../api/index.ts";
import { useMemoryChange } from "../../memory/index.ts";
import type { Memory } from "./memory-types.ts";

/** What is looked for. Blank texts: anything. */
export interface MemoryFilter {
  readonly search: string;
  readonly domain: string;
  /** The number of a document, blank: of any, or of none. */
  readonly source: string;
  /** Also what was corrected since. */
  readonly superseded: boolean;
}

/** Memories by pages, the newest first; those of a search in one, the best first. */
export function useMemories({ search, domain, source, superseded }: MemoryFilter) {
  const { operator } = useApi();
  return useInfiniteQuery(
    pagedQuery(["knowledge", "memories", search, domain, source, superseded], (page) =>
      operator.get("/api/knowledge/search", {
        query: {
          ...{ q: search, domain, include_superseded: superseded, k: 50, ...page },
          ...(/^\d+$/.test(source) && { source_id: Number(source) }),
        },
      }),
    ),
  );
}

/** Those that wait for a person. */
export function useWaitingMemories() {
  const { operator } = useApi();
  return useInfiniteQuery(
    pagedQuery(["knowledge", "review"], (page) =>
      operator.get("/api/knowledge/search", { query: { review_state: "pending", k: 50, ...page } }),
    ),
  );
}

/** Puts a memory into the commons, in the place of what is there of its subject. */
export function usePromoteMemory({ id }: Memory): UseMutationResult<unknown, Error, void> {
  const { operator } = useApi();
  return useMemoryChange(() =>
    operator.post("/api/knowledge/chunks/{chunk_id}/promote", { params: { chunk_id: String(id) } }),
  );
}

/** Takes a memory out of the commons; the own one stays. */
export function useWithdrawMemory({ id }: Memory): UseMutationResult<unknown, Error, void> {
  const { operator } = useApi();
  return useMemoryChange(() =>
    operator.delete("/api/knowledge/chunks/{chunk_id}/promote", { params: { chunk_id: String(id) } }),
  );
}

export function useRestoreMemory({ id }: Memory): UseMutationResult<unknown, Error, void> {
  const { operator } = useApi();
  return useMemoryChange(() =>
    operator.post("/api/knowledge/chunks/{chunk_id}/restore", { params: { chunk_id: String(id) } }),
  );
}

/** Those that were removed and can be restored, newest first. */
export function useRemovedMemories() {
  const { operator } = useApi();
  return useInfiniteQuery(
    pagedQuery(["knowledge", "removed"], (page) =>
      operator.get("/api/knowledge/removed", { query: { limit: 50, ...page } }),
    ),
  );
}

/** Those that every conversation is shown, newest first. */
export function useAlwaysOn() {
  const { operator } = useApi();
  return useInfiniteQuery(
    pagedQuery(["knowledge", "always"], (page) => operator.get("/api/memory/hot", { query: { limit: 100, ...page } })),
  );
}

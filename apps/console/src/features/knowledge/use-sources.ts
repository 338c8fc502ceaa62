import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { pagedQuery, useApi } from "../../api/index.ts";
import { useMemoryChange } from "../../memory/index.ts";
import type { Source } from "./memory-types.ts";

/** Milliseconds between two reads while a document is read. */
const READING_MS = 1_000;
/** Documents to choose one of. */
const MOST_CHOICES = 200;

/** The documents, with those that can be restored; read again while one is read. */
export function useSources() {
  const { operator } = useApi();
  const query = pagedQuery(["knowledge", "sources"], (page) =>
    operator.get("/api/knowledge/sources", { query: { limit: 50, removed: true, ...page } }),
  );
  return useInfiniteQuery({
    ...query,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ sources }) => sources.some(isUnread)) === true ? READING_MS : false,
  });
}

/** The newest documents whose memories are found. */
export function useReadSources() {
  const { operator } = useApi();
  return useQuery({
    queryKey: ["knowledge", "sources", "read"],
    queryFn: async () => {
      const { sources } = await operator.get("/api/knowledge/sources", { query: { limit: MOST_CHOICES } });
      return sources.filter(({ state, total }) => state === "ready" && total > 0);
    },
  });
}

/** It waits, or is being read. */
export function isUnread({ state }: Pick<Source, "state">): boolean {
  return state === "queued" || state === "reading";
}

/** What is handed over to be read. */
export type Handed = { readonly file: File } | { readonly url: string };

/** Hands a document over; it is read behind the answer. */
export function useAddSource() {
  const { operator } = useApi();
  return useMemoryChange((handed: Handed) => {
    const query = { wait: "false" } as const;
    if ("url" in handed) return operator.post("/api/knowledge/ingest", { query, body: handed });
    const form = new FormData();
    form.append("file", handed.file, handed.file.name);
    return operator.post("/api/knowledge/ingest", { query, form });
  });
}

export function useRemoveSource({ id }: Source) {
  const { operator } = useApi();
  return useMemoryChange<void, unknown>(() =>
    operator.post("/api/knowledge/delete-by-source", { body: { source_id: id } }),
  );
}

export function useRestoreSource({ id }: Source) {
  const { operator } = useApi();
  return useMemoryChange<void, unknown>(() =>
    operator.post("/api/knowledge/restore-by-source", { body: { source_id: id } }),
  );
}

import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../api/index.ts";
import type { Memory } from "./memory.ts";

/** Runs a change, and reads the memories again: its event may come later than its answer. */
export function useMemoryChange<TGiven, TDone>(
  change: (given: TGiven) => Promise<TDone>,
): UseMutationResult<TDone, Error, TGiven> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: ["knowledge"] }),
  });
}

/** Takes a memory out of every answer; for a day it can be restored. */
export function useRemoveMemory({ id }: Memory): UseMutationResult<unknown, Error, void> {
  const { operator } = useApi();
  return useMemoryChange(() =>
    operator.delete("/api/knowledge/chunks/{chunk_id}", {
      ...{ params: { chunk_id: String(id) }, query: { restorable: true } },
    }),
  );
}

/** Forgets a memory for good, with every copy. */
export function useForgetMemory({ id }: Memory): UseMutationResult<unknown, Error, void> {
  const { operator } = useApi();
  return useMemoryChange(() =>
    operator.delete("/api/knowledge/chunks/{chunk_id}", { params: { chunk_id: String(id) } }),
  );
}

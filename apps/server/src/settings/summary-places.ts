import { resolveStore, type StoreOptions } from "@agent-service/config";
import type { Environment } from "./environment.ts";

/** Where summaries of conversations lie, and the store that indexes them: absolute. */
export interface SummaryPlaces {
  readonly folder: string;
  readonly index: string;
}

/** In the folder of `MEMORY_PATH`; the index is the instance's own whatever that is. */
export function summaryPlaces({ memoryPath }: Environment, place: Omit<StoreOptions, "from">): SummaryPlaces {
  const own = { ...place, from: { layer: "default" } } as const;
  return {
    folder:
      memoryPath === undefined
        ? resolveStore("/sandbox/memory", own)
        : resolveStore(memoryPath, { ...place, from: { layer: "env", variable: "MEMORY_PATH" } }),
    index: resolveStore("/sandbox/memory-index/summaries.db", own),
  };
}

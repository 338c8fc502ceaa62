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

/** Folders of copies that nothing reads back (G1); undefined: none are written. */
export interface MirrorPlaces {
  /** Of the scheduled jobs. */
  readonly schedulerFolder: string | undefined;
  /** Of the goals. */
  readonly goalFolder: string | undefined;
}

type Place = Omit<StoreOptions, "from">;

export function mirrorPlaces({ schedulerFolder, goalFolder }: Environment, place: Place): MirrorPlaces {
  return {
    goalFolder: mirrorFolder("GOAL_PATH", goalFolder ?? "/sandbox/goals", goalFolder, place),
    schedulerFolder: mirrorFolder("SCHEDULER_DB_DIR", schedulerFolder ?? "/sandbox/scheduler", schedulerFolder, place),
  };
}

/** Where the variable says, else in `/sandbox` where that may be used. */
function mirrorFolder(variable: string, path: string, set: string | undefined, place: Place): string | undefined {
  if (set !== undefined) return resolveStore(path, { ...place, from: { layer: "env", variable } });
  const folder = resolveStore(path, { ...place, from: { layer: "default" } });
  return folder.startsWith("/sandbox/") ? folder : undefined;
}

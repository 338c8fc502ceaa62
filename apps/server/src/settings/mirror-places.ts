import { resolveStore, type StoreOptions } from "@agent-service/config";
import type { Environment } from "./environment.ts";

/** Folders of copies that nothing reads back (G1); undefined: none are written. */
export interface MirrorPlaces {
  /** Of the scheduled jobs. */
  readonly schedulerFolder: string | undefined;
}

type Place = Omit<StoreOptions, "from">;

export function mirrorPlaces({ schedulerFolder }: Environment, place: Place): MirrorPlaces {
  return {
    schedulerFolder: mirrorFolder("SCHEDULER_DB_DIR", schedulerFolder ?? "/sandbox/scheduler", schedulerFolder, place),
  };
}

/** Where the variable says, else in `/sandbox` where that may be used. */
function mirrorFolder(variable: string, path: string, set: string | undefined, place: Place): string | undefined {
  if (set !== undefined) return resolveStore(path, { ...place, from: { layer: "env", variable } });
  const folder = resolveStore(path, { ...place, from: { layer: "default" } });
  return folder.startsWith("/sandbox/") ? folder : undefined;
}

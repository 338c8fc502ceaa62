import { dirname } from "node:path";
import { isStoreServer, type OpeningStore, openStore, type StoreThreads } from "@agent-service/agent-core/host";
import { describeProvenance, makeFolder, resolveStore } from "@agent-service/config";
import { packageVersion } from "../cli/index.ts";
import type { ServerSettings } from "../settings/index.ts";

/** How to open the store beyond its settings; for tests. */
export interface ServiceStoreOptions {
  /** Bytes the store may take. Default: the free space of the disk. */
  readonly maxBytes?: number | undefined;
  /** Threads of the process that outlive the service. Default: threads of its own. */
  readonly threads?: StoreThreads | undefined;
}

export interface StoreLocation {
  readonly url: string;
  /** Why it is not at the configured location, for the log. */
  readonly warning?: string;
}

/**
 * The configured location of the store; creates its folder. If the folder cannot be created, the value is
 * wrong and falls back to the default (S8). An existing store that cannot be used is never replaced by the default.
 * @throws a file system error when the default's folder cannot be created
 */
export function storeLocation({
  checkpoint,
  paths,
  instance: { id: instance },
  provenance,
}: ServerSettings): StoreLocation {
  const path = checkpoint.db_path;
  if (path === "") return { url: ":memory:" };
  if (isStoreServer(path)) return { url: path };
  try {
    makeFolder(dirname(path));
    return { url: `file:${path}` };
  } catch (error) {
    const fallback = resolveStore("/sandbox/checkpoints.db", { paths, instance, from: { layer: "default" } });
    if (fallback === path) throw error;
    makeFolder(dirname(fallback));
    const from = describeProvenance(provenance.get("checkpoint.db_path") ?? { layer: "default" });
    const reason = `the folder of ${path} cannot be made (${(error as NodeJS.ErrnoException).code})`;
    return { url: `file:${fallback}`, warning: `${from}: checkpoint.db_path: ${reason}; ${fallback} is used instead` };
  }
}

/**
 * Starts to open the configured store; creates its folder.
 * @throws a file system error when the folder cannot be created
 */
export function openServiceStore(settings: ServerSettings, options: ServiceStoreOptions = {}): OpeningStore {
  const name = `${settings.identity.name} (agent-service ${packageVersion()})`;
  return openStore({ url: storeLocation(settings).url, owner: { name }, ...options });
}

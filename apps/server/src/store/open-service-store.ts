import { dirname } from "node:path";
import { isStoreServer, type OpeningStore, openStore, type StoreThreads } from "@agent-service/agent-core/host";
import { describeProvenance, makeFolder, resolveStore } from "@agent-service/config";
import { packageVersion } from "../cli/index.ts";
import type { ServerSettings } from "../settings/index.ts";

/** How to open the store beyond its settings; for tests. */
export interface ServiceStoreOptions {
  /** Bytes the store may take. Default: the disk's room. */
  readonly maxBytes?: number | undefined;
  /** Threads of the process that outlive the service. Default: threads of its own. */
  readonly threads?: StoreThreads | undefined;
}

/** Where the store is. */
export interface StoreLocation {
  readonly url: string;
  /** Why it is not where the settings want it, for the log. */
  readonly warning?: string;
}

/**
 * Where the settings want the store, its folder made. Where that cannot be made no store can be either: the value is
 * wrong, and falls back to the default (S8). A store that is there and cannot be used is never passed over.
 * @throws a file system error when the default's folder cannot be made
 */
export function storePlace({ checkpoint, paths, instance, provenance }: ServerSettings): StoreLocation {
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
 * Begins to open the store the settings name, making its folder.
 * @throws a file system error when the folder cannot be made
 */
export function openServiceStore(settings: ServerSettings, options: ServiceStoreOptions = {}): OpeningStore {
  const name = `${settings.identity.name} (agent-service ${packageVersion()})`;
  return openStore({ url: storePlace(settings).url, owner: { name }, ...options });
}

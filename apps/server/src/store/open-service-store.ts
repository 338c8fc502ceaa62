import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type OpeningStore, openStore, type StoreThreads } from "@agent-service/agent-core";
import { packageVersion } from "../cli/index.ts";
import type { ServerSettings } from "../sections/index.ts";

/** How to open the store beyond its settings; for tests. */
export interface ServiceStoreOptions {
  /** Bytes the store may take. Default: the disk's room. */
  readonly maxBytes?: number | undefined;
  /** Threads of the process that outlive the service. Default: threads of its own. */
  readonly threads?: StoreThreads | undefined;
}

function storeUrl({ checkpoint }: ServerSettings): string {
  const path = checkpoint.db_path;
  if (path === "") return ":memory:";
  if (/^(libsql|https?):\/\//.test(path)) return path;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return `file:${path}`;
}

/**
 * Begins to open the store the settings name, making its folder.
 * @throws a file system error when the folder cannot be made
 */
export function openServiceStore(settings: ServerSettings, options: ServiceStoreOptions = {}): OpeningStore {
  const name = `${settings.identity.name} (agent-service ${packageVersion()})`;
  return openStore({ url: storeUrl(settings), owner: { name }, ...options });
}

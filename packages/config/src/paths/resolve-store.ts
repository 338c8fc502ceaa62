import { isAbsolute, join } from "node:path";
import type { Provenance } from "../provenance/index.ts";
import { expandHome, type ServicePaths } from "./resolve-paths.ts";

/** What a store's address follows from. */
export interface StoreOptions {
  readonly paths: Pick<ServicePaths, "home" | "sandbox">;
  /** Namespaces stores without an explicit path (`SVC_INSTANCE`, else `instance.id`); blank for none. */
  readonly instance: string;
  /** Where `value` came from: only a default moves. */
  readonly from: Provenance;
}

/** A server's address instead of a file (R11). */
const SERVER = /^(libsql|https?|wss?):\/\//i;

/**
 * Resolves a `db_path` or the like. A default of the form `/sandbox/<rest>` is used where the sandbox exists, else
 * `<rest>` is in the home; the instance adds one path segment (N3). A path an operator wrote is taken as
 * it is, a relative one below the same root; addresses of servers and blank (in memory, R12) stay.
 */
export function resolveStore(value: string, { paths, instance, from }: StoreOptions): string {
  const path = value.trim();
  if (path === "" || SERVER.test(path)) return path;
  const root = join(paths.sandbox ?? paths.home, instance);
  if (from.layer === "default" && path.startsWith("/sandbox/")) return join(root, path.slice("/sandbox/".length));
  const expanded = expandHome(path);
  return isAbsolute(expanded) ? expanded : join(paths.home, instance, expanded);
}

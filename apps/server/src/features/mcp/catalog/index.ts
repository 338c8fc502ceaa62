import type { CatalogEntry } from "./catalog-entry.ts";
import { HOSTED } from "./hosted.ts";
import { PROGRAMS } from "./programs.ts";
import { REFERENCE_SERVERS } from "./reference-servers.ts";

export { type CatalogEntry, type CatalogInput, type CatalogPin, pinOf } from "./catalog-entry.ts";

/** The curated catalogue, by name. */
export const CATALOG: readonly CatalogEntry[] = Object.freeze(
  [...REFERENCE_SERVERS, ...PROGRAMS, ...HOSTED].sort((one, other) => one.name.localeCompare(other.name, "en")),
);

export function catalogEntry(id: string): CatalogEntry | undefined {
  return CATALOG.find((entry) => entry.id === id);
}

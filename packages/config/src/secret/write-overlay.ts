import { dirname } from "node:path";
import { stringify } from "yaml";
import { writeFileAtomic } from "../file-write/index.ts";
import { makeFolder } from "../paths/index.ts";

/** What the overlay holds: `<section>: {<key>: <secret>}`, for connections `providers: {<id>: <secret>}`. */
export interface OverlayContent {
  readonly [section: string]: { readonly [key: string]: unknown };
}

/**
 * Writes the overlay, replacing what is there, with owner-only permissions and atomically (B70 rule 1).
 * File system errors are thrown as they are; the file in place is then unchanged.
 */
export function writeOverlay(file: string, content: OverlayContent): void {
  makeFolder(dirname(file));
  writeFileAtomic(file, stringify(content), { mode: 0o600, when: "replace" });
}

import { dirname } from "node:path";
import { writeFileAtomic } from "../file-write/index.ts";
import { makeFolder } from "../paths/index.ts";

/** `created`: the example was put in place. `kept`: a file was there. `managed`: the folder cannot be written (O6). */
export type InstallResult = "created" | "kept" | "managed";

const READ_ONLY: ReadonlySet<string | undefined> = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * Puts the example in place as the live file on first run: atomic, readable by its owner only, never over an existing
 * file. A folder that may not be written is no error. Other file system errors are thrown as they are.
 */
export function installExample(file: string, text: string): InstallResult {
  try {
    makeFolder(dirname(file));
    return writeFileAtomic(file, text, { mode: 0o600, when: "create" }) ? "created" : "kept";
  } catch (error) {
    if (READ_ONLY.has((error as NodeJS.ErrnoException).code)) return "managed";
    throw error;
  }
}

import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** How a file is put in place. */
export interface AtomicWrite {
  /** Permission bits of the new file. */
  readonly mode: number;
  /** `replace` an existing file, or `create` only where none is. */
  readonly when: "replace" | "create";
}

/**
 * Writes a file whole or not at all: temporary file, fsync, then rename (or link, which never overwrites), then fsync
 * of the folder. Answers `false` when `create` found a file in place. File system errors are thrown as they are.
 */
export function writeFileAtomic(file: string, text: string, { mode, when }: AtomicWrite): boolean {
  const folder = dirname(file);
  const temporary = join(folder, `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  const handle = openSync(temporary, "wx", mode);
  try {
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (when === "replace") renameSync(temporary, file);
    else linkNew(temporary, file);
  } catch (error) {
    unlinkSync(temporary);
    if (when === "create" && (error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  if (when === "create") unlinkSync(temporary);
  syncFolder(folder);
  return true;
}

/** Gives the file its name where none is; file systems without links get an exclusive copy instead. */
function linkNew(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
    copyFileSync(temporary, file, constants.COPYFILE_EXCL);
  }
}

/** Makes the new name durable. Some systems cannot sync folders; the file itself is synced either way. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EISDIR" && code !== "EPERM" && code !== "EINVAL" && code !== "EACCES") throw error;
  }
}

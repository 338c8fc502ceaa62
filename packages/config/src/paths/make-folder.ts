import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, for its owner only, and those it lies in. Node's own `recursive` never returns where a folder is refused as
 * if its parent were not there, as `/proc` does: the process would hang, whatever signal it gets.
 * @throws a file system error
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

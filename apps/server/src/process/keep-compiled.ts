import { chmodSync, readdirSync, rmSync } from "node:fs";
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from "node:module";
import { basename, join } from "node:path";
import { makeFolder } from "@agent-service/config";

/**
 * Caches V8's compiled code of the program, under `compiled` in the service's home, for the next start. Call it before the
 * large modules are loaded. Where the folder cannot be written everything is compiled again each time; where the variable
 * NODE_COMPILE_CACHE names another folder, Node uses that.
 */
export function keepCompiled(home: string): void {
  const folder = join(home, "compiled");
  try {
    makeFolder(folder);
  } catch {
    // Node handles the same error by compiling without a cache.
  }
  enableCompileCache(folder);
  const directory = getCompileCacheDir();
  if (directory === undefined || !isBelow(folder, directory)) return;
  try {
    // Node makes its folder as the umask says.
    chmodSync(directory, 0o700);
  } catch {
    // Another user's: the folder above decides who comes there.
  }
}

function isBelow(folder: string, path: string): boolean {
  return join(folder, basename(path)) === path;
}

/** Maximum number of files (EN10): a start writes about a dozen for its location, and one home may serve several locations. */
const MOST_FILES = 60;

/** Writes new files, and removes those of other Node versions from the home, or all if there are too many. */
export function writeCompiled(home: string): void {
  flushCompileCache();
  const folder = join(home, "compiled");
  const current = getCompileCacheDir();
  if (current === undefined || !isBelow(folder, current)) return;
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (path !== current || readdirSync(path).length > MOST_FILES) rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // The file remains until the next start.
  }
}

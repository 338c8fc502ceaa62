import { readdirSync, rmSync } from "node:fs";
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from "node:module";
import { basename, join } from "node:path";
import { makeFolder } from "@agent-service/config";

/**
 * Keeps what V8 makes of the program's text, under `compiled` in the service's home, for the next start. Call it before the
 * large modules are loaded. Where the folder cannot be written everything is compiled anew each time; where the variable
 * NODE_COMPILE_CACHE names another place, Node keeps it there.
 */
export function keepCompiled(home: string): void {
  const folder = join(home, "compiled");
  try {
    makeFolder(folder);
  } catch {
    // Node finds the same, and goes on without it.
  }
  enableCompileCache(folder);
}

/** Files that may be kept (EN10): a start makes two, of the place it runs from, and one home may serve several places. */
const MOST_FILES = 60;

/** Writes what is not kept yet, and removes what other versions of Node have left in the home, or all if it is too much. */
export function writeCompiled(home: string): void {
  flushCompileCache();
  const folder = join(home, "compiled");
  const current = getCompileCacheDir();
  if (current === undefined || join(folder, basename(current)) !== current) return;
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (path !== current || readdirSync(path).length > MOST_FILES) rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // It lies there until the next start.
  }
}

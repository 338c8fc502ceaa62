import { readdirSync, rmSync } from "node:fs";
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from "node:module";
import { basename, join } from "node:path";

/**
 * Keeps what V8 makes of the program's text, under `compiled` in the service's home, for the next start. Call it before the
 * large modules are loaded. Where the folder cannot be written everything is compiled anew each time; where the variable
 * NODE_COMPILE_CACHE names another place, Node keeps it there.
 */
export function keepCompiled(home: string): void {
  enableCompileCache(join(home, "compiled"));
}

/** Writes what is not kept yet, and removes what other versions of Node have left in the home. */
export function writeCompiled(home: string): void {
  flushCompileCache();
  const folder = join(home, "compiled");
  const current = getCompileCacheDir();
  if (current === undefined || join(folder, basename(current)) !== current) return;
  try {
    for (const name of readdirSync(folder)) {
      if (name !== basename(current)) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // It lies there until the next start.
  }
}

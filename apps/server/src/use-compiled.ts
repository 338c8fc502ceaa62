import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { resolvePaths } from "@agent-service/config";

/**
 * Uses the compiled code that earlier starts have cached in the home, before the settings are loaded: parsers of YAML and of
 * settings are a sixth of what a start compiles. Where none is cached yet nothing is created, for the settings may still
 * refuse the start; `keepCompiled` follows when they are read.
 */
export function useCompiled(env: NodeJS.ProcessEnv): void {
  const folder = join(resolvePaths({ env }).home, "compiled");
  if (existsSync(folder)) enableCompileCache(folder);
}

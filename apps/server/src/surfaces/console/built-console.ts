import { existsSync } from "node:fs";
import { join } from "node:path";
import { serverPackage } from "../../cli/index.ts";

/** The folder of the console inside the published package, else the build output of a checkout. */
export function builtConsole(): string {
  const folder = serverPackage()?.folder ?? ".";
  const packaged = join(folder, "console");
  return existsSync(packaged) ? packaged : join(folder, "../console/dist");
}

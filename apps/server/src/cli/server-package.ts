import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The manifest's path relative to the bundle in `dist`, to a folder of `src`, and to one of `dist/modules`. */
const PATHS = Object.freeze(["../package.json", "../../package.json", "../../../package.json"]);

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

/** The server package that this code belongs to; undefined where its manifest cannot be read. */
export function serverPackage(): { readonly folder: string; readonly version: string | undefined } | undefined {
  for (const path of PATHS) {
    const file = fileURLToPath(new URL(path, import.meta.url));
    try {
      const { name, version } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
      if (name === "@agent-service/server") return { folder: dirname(file), version };
    } catch {
      // The next one may be there.
    }
  }
  return undefined;
}

export function packageVersion(): string {
  return serverPackage()?.version ?? "unknown";
}

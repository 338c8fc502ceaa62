import { readFileSync } from "node:fs";

/** The version of the installed server package. The path is the same from `src/cli` and from `dist/cli`. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return (manifest as { readonly version: string }).version;
}

import { readFileSync } from "node:fs";

/** Where the manifest lies, seen from `src/cli`, from the bundle in `dist`, and from `dist/modules/cli`. */
const PLACES = Object.freeze(["../../package.json", "../package.json", "../../../package.json"]);

function manifestAt(place: string): { readonly name?: string; readonly version?: string } {
  try {
    return JSON.parse(readFileSync(new URL(place, import.meta.url), "utf8")) as { name?: string; version?: string };
  } catch {
    return {};
  }
}

/** The version of the installed server package. */
export function packageVersion(): string {
  for (const place of PLACES) {
    const { name, version } = manifestAt(place);
    if (name === "@agent-service/server" && version !== undefined) return version;
  }
  return "unknown";
}

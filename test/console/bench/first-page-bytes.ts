import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Sums the JavaScript, packed with gzip, that the page of a built console names. Throws where it was not built. */
export function firstPageBytes(dist: string): number {
  const page = readFileSync(join(dist, "index.html"), "utf8");
  const scripts = new Set([...page.matchAll(/"\.\/(assets\/[^"]+\.js)"/g)].map(([, name = ""]) => name));
  return [...scripts].reduce((sum, name) => {
    const packed = statSync(join(dist, `${name}.gz`), { throwIfNoEntry: false });
    // What is too small to be packed is sent as it is.
    return sum + (packed ?? statSync(join(dist, name))).size;
  }, 0);
}

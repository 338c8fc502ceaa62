import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Plugin } from "vite";

/** Smaller files gain nothing. */
const LEAST_BYTES = 1_000;

/** Writes every script and style sheet a second time as gzip (`index.js.gz`): the service sends that to clients that accept gzip. */
export function packAssets(): Plugin {
  return {
    name: "pack-assets",
    apply: "build",
    async writeBundle({ dir = "" }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(m?js|css)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const bytes = await readFile(join(dir, name));
          if (bytes.length < LEAST_BYTES) return;
          await writeFile(join(dir, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
        }),
      );
    },
  };
}

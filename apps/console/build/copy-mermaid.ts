import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const CHUNKS = "chunks/mermaid.esm.min";

/**
 * Copies Mermaid beside the frame that draws with it, as it is published: bundled again it would be the same files, minutes
 * later. Nothing of it is loaded before the first diagram.
 */
export function copyMermaid(): Plugin {
  return {
    name: "copy-mermaid",
    apply: "build",
    async generateBundle() {
      const dist = path.dirname(fileURLToPath(import.meta.resolve("mermaid")));
      const chunks = (await readdir(path.join(dist, CHUNKS))).filter((name) => name.endsWith(".mjs"));
      const names = ["mermaid.esm.min.mjs", ...chunks.map((name) => `${CHUNKS}/${name}`)];
      await Promise.all(
        names.map(async (name) => {
          const source = await readFile(path.join(dist, name));
          this.emitFile({ type: "asset", fileName: `frames/mermaid/${name}`, source });
        }),
      );
    },
  };
}

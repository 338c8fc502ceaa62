/**
 * Bundles the command. Four hundred small modules cost a start 140 ms and 14 MB more than one file (measured;
 * docs/performance.md), so `dist/main.js` is a bundle; `dist/modules` holds the plain modules for whoever imports the
 * package. What the bundle needs beside it: the threads' own files and the migrations.
 */
import { cpSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

for (const name of readdirSync(here("dist"))) if (name !== "modules") rmSync(here(`dist/${name}`), { recursive: true });

const bundle = await rolldown({
  input: {
    main: here("dist/modules/main.js"),
    "store-worker": here("../../packages/agent-core/dist/database/store-worker.js"),
    "page-worker": here("../../packages/agent-core/dist/web-tools/page-worker.js"),
  },
  platform: "node",
  // Native code, and a client that only stores behind a URL load.
  external: ["libsql", "@libsql/client"],
  treeshake: { moduleSideEffects: [{ test: /[\\/](?:packages|apps)[\\/].*[\\/]dist[\\/]/, sideEffects: false }] },
});
await bundle.write({ dir: here("dist"), format: "esm", chunkFileNames: "[name]-[hash].js" });
await bundle.close();
cpSync(here("../../packages/agent-core/migrations"), here("dist/migrations"), { recursive: true });

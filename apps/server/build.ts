/**
 * Bundles the command. Four hundred small modules cost a start 140 ms and 14 MB more than one file (measured;
 * docs/performance.md), so `dist/main.js` is a bundle; `dist/modules` holds the plain modules for whoever imports the
 * package. What the bundle needs beside it: the threads' own files, the migrations, the skills and the list of prices.
 */
import { cpSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type Plugin, type RolldownOutput, rolldown } from "rolldown";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

for (const name of readdirSync(here("dist"))) if (name !== "modules") rmSync(here(`dist/${name}`), { recursive: true });

const common = {
  platform: "node" as const,
  // Native code, and a client that only stores behind a URL load.
  external: ["libsql", "@libsql/client"],
  treeshake: { moduleSideEffects: [{ test: /[\\/](?:packages|apps)[\\/].*[\\/]dist[\\/]/, sideEffects: false }] },
};

/** A file with one character beyond ASCII is held at two bytes a character: 2 MB for the service's. */
const inAscii: Plugin = {
  name: "in-ascii",
  generateBundle(_options, bundle) {
    for (const item of Object.values(bundle)) {
      if (item.type !== "chunk") continue;
      item.code = item.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    }
  },
};

async function write(
  input: Record<string, string>,
  chunks: string,
  plugins: Plugin[] = [],
  codeSplitting = true,
): Promise<RolldownOutput["output"]> {
  const bundle = await rolldown({ ...common, input, plugins: [...plugins, inAscii] });
  const { output } = await bundle.write({
    dir: here("dist"),
    format: "esm",
    codeSplitting,
    // Without a hash: what Node keeps of a file that was compiled is kept under its name, and the next version's replaces it.
    chunkFileNames: `${chunks}[name].js`,
  });
  await bundle.close();
  return output;
}

/** Refuses a split where another chunk loads `module`'s: an innocent import elsewhere can make the bundler do that. */
function keepApart(output: RolldownOutput["output"], module: string): void {
  const chunks = output.filter((item) => item.type === "chunk");
  const apart = chunks.find(({ moduleIds }) => moduleIds.includes(here(`dist/modules/${module}`)));
  const loads = chunks.find(({ imports }) => imports.some((name) => name === apart?.fileName));
  if (apart === undefined || loads !== undefined) throw new Error(`${loads?.fileName} loads all of ${module}`);
}

// What talks to a running service is a bundle of its own. In one with the service it would share chunks, and what it alone
// wants of the engine would be loaded by every service.
const client = "./client.js";
const apart: Plugin = {
  name: "client-apart",
  resolveId: (id, importer) =>
    id === client && importer === here("dist/modules/main.js") ? { id: client, external: true } : undefined,
};
const output = await write(
  {
    main: here("dist/modules/main.js"),
    "store-worker": here("../../packages/agent-core/dist/database/store-worker.js"),
    "document-worker": here("../../packages/agent-core/dist/document/document-worker.js"),
    "note-worker": here("../../packages/agent-core/dist/command-changes/note-worker.js"),
    "vector-worker": here("../../packages/agent-core/dist/knowledge/embedding/vector-worker.js"),
    "page-worker": here("../../packages/agent-core/dist/web-tools/page-worker.js"),
    "tree-worker": here("../../packages/agent-core/dist/filesystem/tree-worker.js"),
  },
  "",
  [apart],
);
// The store's thread boots while this loads, and `--help` does not want it at all.
keepApart(output, "compose.js");
// 300 kB that only shared pages want.
keepApart(output, "surfaces/share/parse-markdown.js");
const beside = await write({ client: here("dist/modules/client.js") }, "client-");
const twice = beside.find(({ fileName }) => output.some((other) => other.fileName === fileName));
if (twice !== undefined) throw new Error(`two bundles write ${twice.fileName}`);
// The process of a script, and the machine in it that it alone loads: one file is read sooner than six.
await write({ "script-child": here("../../packages/agent-core/dist/code-run/script-child.js") }, "script-", [], false);
await write(
  { "expression-child": here("../../packages/agent-core/dist/verifier/expression-child.js") },
  "expression-",
  [],
  false,
);
const core = createRequire(here("../../packages/agent-core/package.json"));
cpSync(core.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"), here("dist/emscripten-module.wasm"));
for (const folder of ["migrations", "skills"])
  cpSync(here(`../../packages/agent-core/${folder}`), here(`dist/${folder}`), { recursive: true });
for (const name of ["model-prices.json", "LICENSE-litellm"])
  cpSync(here(`../../packages/agent-core/prices/${name}`), here(`dist/prices/${name}`));

/**
 * Bundles what tests start as processes: `node bundle-services.ts <folder> <file>...`. A start from a thousand small modules
 * whose types are stripped takes more than twice the processor time of one from a bundle. It is made of the sources, so it needs no
 * build before; like the command's own (build.ts), it has what the engine starts beside it.
 */
import { cpSync, globSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const core = here("../../packages/agent-core");
const [folder = "", ...files] = process.argv.slice(2);
// As in the published package: a bundle in its folder, and what it is of above it.
const dist = path.join(folder, "dist");

/** The engine's threads and processes: it starts the file of that name beside its own. */
const started = globSync("src/**/*-{worker,child}.ts", { cwd: core }).map((file) => path.join(core, file));
const bundle = await rolldown({
  platform: "node",
  // Native code, and a client that only stores behind a URL load.
  external: ["libsql", "@libsql/client"],
  resolve: { conditionNames: ["@agent-service/source", "import", "node", "default"] },
  treeshake: { moduleSideEffects: [{ test: /[\\/](?:packages|apps)[\\/].*[\\/]src[\\/]/, sideEffects: false }] },
  input: Object.fromEntries([...started, ...files].map((file) => [path.basename(file, ".ts"), file])),
});
const { output } = await bundle.write({ dir: dist, format: "esm", chunkFileNames: "[name]-chunk.js" });
await bundle.close();

const wasm = createRequire(`${core}/package.json`).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
cpSync(wasm, path.join(dist, "emscripten-module.wasm"));
for (const name of ["migrations", "skills", "prices"])
  cpSync(path.join(core, name), path.join(dist, name), { recursive: true });
cpSync(here("package.json"), path.join(folder, "package.json"));
// What is not bundled is found there.
symlinkSync(here("node_modules"), path.join(folder, "node_modules"));
// Whoever keeps the bundle has to know when it is out of date.
const modules = output.flatMap((item) => (item.type === "chunk" ? item.moduleIds : []));
const ours = modules.filter((id) => path.isAbsolute(id) && !id.includes(`${path.sep}node_modules${path.sep}`));
process.stdout.write(JSON.stringify(ours));

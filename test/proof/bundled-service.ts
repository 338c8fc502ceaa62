/** The services that proofs start as processes, each as a bundle of the sources as they are in the working tree. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import path from "node:path";

const root = new URL("../../", import.meta.url).pathname;
const cache = path.join(root, ".cache/services");
const SERVICES = {
  "proof-service": "test/proof/proof-service.ts",
  "fuzz-service": "test/proof/fuzz/fuzz-service.ts",
  "secrets-service": "test/proof/secrets/secrets-service.ts",
} as const;

/** Everything that is bundled or copied, and what bundles it. */
const CONTENT = [
  "packages/*/package.json",
  "packages/*/src/**/*.*",
  "packages/agent-core/{migrations,skills,prices}/**/*.*",
  "apps/server/package.json",
  "apps/server/bundle-services.ts",
  "apps/server/src/**/*.*",
  "test/proof/**/*.ts",
  "pnpm-lock.yaml",
];
/** Bundles of former content are removed after a day; another run may use one meanwhile. */
const KEPT_MS = 24 * 60 * 60 * 1_000;
let folder: string | undefined;

/** The file to start. A process looks once at what there is, so that all it starts is of one content. */
export function bundledService(name: keyof typeof SERVICES): string {
  folder ??= bundledContent();
  return path.join(folder, `dist/${name}.js`);
}

/** The folder of all of them as they are in the working tree, bundled unless this content was bundled before. */
export function bundledContent(): string {
  for (;;) {
    const files = contentFiles();
    const key = contentKey(files);
    const at = path.join(cache, key);
    if (use(at)) return at;
    const own = bundle(new Set(files));
    try {
      // What was edited while it was bundled may be in it.
      if (contentKey(contentFiles()) === key) renameSync(own, at);
    } catch (error) {
      // Another process may have bundled the same meanwhile.
      if (!use(at)) throw error;
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
    removeFormer();
  }
}

/** Whether it is there. What is used is not removed for a day. */
function use(at: string): boolean {
  try {
    utimesSync(at, new Date(), new Date());
    return true;
  } catch {
    return false;
  }
}

/** A folder with a new bundle. @throws when it has a file of the working tree that is not of the content that is looked at */
function bundle(content: ReadonlySet<string>): string {
  mkdirSync(cache, { recursive: true });
  const own = mkdtempSync(path.join(cache, "bundling-"));
  const files = Object.values(SERVICES).map((file) => path.join(root, file));
  const args = [path.join(root, "apps/server/bundle-services.ts"), own, ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`what the proofs start cannot be bundled:\n${stdout}${stderr}`);
  const bundled = (JSON.parse(stdout) as string[]).map((file) => path.relative(root, file));
  const unknown = bundled.filter((file) => !content.has(file));
  if (unknown.length > 0) throw new Error(`would be tested as they were before a change: ${unknown.join(", ")}`);
  return own;
}

function removeFormer(): void {
  for (const name of readdirSync(cache)) {
    const at = path.join(cache, name);
    const used = statSync(at, { throwIfNoEntry: false });
    if (used && Date.now() - used.mtimeMs > KEPT_MS) rmSync(at, { recursive: true, force: true });
  }
}

function contentFiles(): string[] {
  return globSync(CONTENT, { cwd: root })
    .filter((file) => !/\.test\.ts$/.test(file))
    .sort();
}

function contentKey(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 32);
}

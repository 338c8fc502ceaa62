import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "../../process/run.ts";

/** A build of the console as it is in the working tree. Whoever uses it shares it: nothing may be written into it. */
export interface BuiltConsole {
  readonly folder: string;
  /** What the build printed. */
  readonly output: string;
}

const root = new URL("../../../", import.meta.url).pathname;
const cwd = path.join(root, "apps/console");
const cache = path.join(root, ".cache/console");
/** Builds of former content are removed after a day; another run may use one meanwhile. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/**
 * The console as it is in the working tree, built unless this content was built before. Rejects with the build's output
 * when it fails.
 */
export async function builtConsole(): Promise<BuiltConsole> {
  const at = path.join(cache, contentKey());
  const known = await read(at);
  if (known) return known;
  await mkdir(cache, { recursive: true });
  const own = await mkdtemp(path.join(cache, "building-"));
  try {
    const command = ["build", "--outDir", path.join(own, "dist"), "--emptyOutDir", "--logLevel", "warn"];
    // vitest's own NODE_ENV would make a development build of it.
    const env = { ...process.env, NODE_ENV: "production" };
    const { code, output } = await run(path.join(cwd, "node_modules/.bin/vite"), command, { cwd, env });
    if (code !== 0) throw new Error(`the console does not build:\n${output}`);
    await writeFile(path.join(own, "output.txt"), output);
    await rename(own, at).catch(async (error: unknown) => {
      // Another process built the same meanwhile.
      if ((await read(at)) === undefined) throw error;
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  await removeFormer();
  return (await read(at)) as BuiltConsole;
}

async function read(at: string): Promise<BuiltConsole | undefined> {
  try {
    const output = await readFile(path.join(at, "output.txt"), "utf8");
    await utimes(at, new Date(), new Date());
    return { folder: path.join(at, "dist"), output };
  } catch {
    return undefined;
  }
}

async function removeFormer(): Promise<void> {
  for (const name of await readdir(cache)) {
    const at = path.join(cache, name);
    const used = await stat(at).catch(() => undefined);
    if (used && Date.now() - used.mtimeMs > KEPT_MS) await rm(at, { recursive: true, force: true });
  }
}

/** Everything a build reads: the console's own files, the packages it may import, and the versions of all others. */
function contentKey(): string {
  const files = globSync(
    [
      "apps/console/*.*",
      "apps/console/{build,public,src}/**/*.*",
      "packages/*/package.json",
      "packages/*/src/**/*.*",
      "pnpm-lock.yaml",
      "tsconfig.base.json",
    ],
    { cwd: root },
  );
  const hash = createHash("sha256");
  for (const file of files.filter((name) => !/\.test\.tsx?$/.test(name)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 32);
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "../../process/run.ts";

/** A build of the console as it is in the working tree. */
export interface BuiltConsole extends AsyncDisposable {
  readonly folder: string;
  /** What the build printed. */
  readonly output: string;
}

const cwd = new URL("../../../apps/console", import.meta.url).pathname;

/** Builds the console into a folder of its own. Rejects with the build's output when it fails. */
export async function buildConsole(): Promise<BuiltConsole> {
  const folder = await mkdtemp(path.join(tmpdir(), "console-build-"));
  const command = ["build", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"];
  // vitest's own NODE_ENV would make a development build of it.
  const env = { ...process.env, NODE_ENV: "production" };
  const { code, output } = await run(path.join(cwd, "node_modules/.bin/vite"), command, { cwd, env });
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (code !== 0) {
    await remove();
    throw new Error(`the console does not build:\n${output}`);
  }
  return { folder, output, [Symbol.asyncDispose]: remove };
}

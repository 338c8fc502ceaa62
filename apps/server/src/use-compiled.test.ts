import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const run = promisify(execFile);
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compiled-"));
});
afterEach(() => rmSync(home, { recursive: true }));

/** The folder of the cache that Node uses in a process that has only called `useCompiled`. */
async function cacheFolder(): Promise<string> {
  const program = `
    import { getCompileCacheDir } from "node:module";
    import { useCompiled } from ${JSON.stringify(new URL("./use-compiled.ts", import.meta.url).href)};
    useCompiled(process.env);
    console.log(getCompileCacheDir() ?? "none");`;
  const { NODE_COMPILE_CACHE: _, ...own } = process.env;
  const args = ["--conditions=@agent-service/source", "--input-type=module", "--eval", program];
  const { stdout, stderr } = await run(process.execPath, args, { env: { ...own, SVC_HOME: home } });
  expect(stderr).toBe("");
  return stdout.trim();
}

test("the compiled code of earlier starts is used before the settings are loaded, and nothing is created for it", async () => {
  expect(await cacheFolder()).toBe("none");
  expect(existsSync(join(home, "compiled"))).toBe(false);
  mkdirSync(join(home, "compiled"));
  expect(await cacheFolder()).toContain(join(home, "compiled", process.version));
});

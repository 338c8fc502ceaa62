import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const run = promisify(execFile);
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compiled-"));
  writeFileSync(join(home, "large.mjs"), "export const one = () => 1;");
});
afterEach(() => rmSync(home, { recursive: true }));

/** Starts a program that keeps what it compiles, and is killed. */
async function start(env: NodeJS.ProcessEnv = {}): Promise<void> {
  const program = `
    import { keepCompiled, writeCompiled } from ${JSON.stringify(new URL("./keep-compiled.ts", import.meta.url).href)};
    process.umask(0);
    keepCompiled(${JSON.stringify(home)});
    await import(${JSON.stringify(join(home, "large.mjs"))});
    writeCompiled(${JSON.stringify(home)});
    process.kill(process.pid, "SIGKILL");`;
  const { NODE_COMPILE_CACHE: _, ...own } = process.env;
  const ended = run(process.execPath, ["--input-type=module", "--eval", program], { env: { ...own, ...env } });
  await expect(ended).rejects.toMatchObject({ signal: "SIGKILL", stderr: "" });
}

test("what is compiled is kept for the next start even of a process that is killed, and only for this Node", async () => {
  const folder = join(home, "compiled");
  mkdirSync(join(folder, "v22.0.0-x64-0-0"), { recursive: true });
  await start();
  const [version = "", ...others] = readdirSync(folder);
  expect(version).toContain(process.version);
  expect(others).toEqual([]);
  expect(statSync(join(folder, version)).mode & 0o777).toBe(0o700);
  const kept = readdirSync(join(folder, version));
  expect(kept).not.toEqual([]);
  // Files of starts from many locations are not kept for ever.
  for (let i = 0; i < 100; i++) writeFileSync(join(folder, version, `${i}`), "");
  await start();
  expect(readdirSync(folder)).toEqual([]);
});

test("a start continues where nothing can be kept, and files of another location are left alone", async () => {
  writeFileSync(join(home, "compiled"), "a file");
  await start();
  const elsewhere = join(home, "elsewhere");
  mkdirSync(join(elsewhere, "v22.0.0-x64-0-0"), { recursive: true });
  await start({ NODE_COMPILE_CACHE: elsewhere });
  expect(existsSync(join(elsewhere, "v22.0.0-x64-0-0"))).toBe(true);
});

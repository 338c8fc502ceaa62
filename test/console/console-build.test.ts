import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../process/run.ts";

const cwd = new URL("../../apps/console", import.meta.url).pathname;
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "console-build-"));
  const command = ["build", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"];
  const { code, output } = await run(path.join(cwd, "node_modules/.bin/vite"), command, { cwd });
  expect(output).toBe("");
  expect(code).toBe(0);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("the built page runs under a strict Content-Security-Policy and behind any proxy", async () => {
  const html = await readFile(path.join(folder, "index.html"), "utf8");
  const scripts = [...html.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)];
  expect(
    scripts.map(([, attributes, inline]) => [/ src="\.\/assets\/[^"]+\.js"/.test(attributes ?? ""), inline]),
  ).toEqual([[true, ""]]);
  expect(html).not.toMatch(/<style|\son\w+=|style=/);
  const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1]);
  expect(addresses.filter((address) => !address?.startsWith("./"))).toEqual([]);
});

test("the built page loads nothing from anywhere else", async () => {
  const styles = (await readdir(path.join(folder, "assets"))).filter((name) => name.endsWith(".css"));
  for (const name of styles) {
    expect(await readFile(path.join(folder, "assets", name), "utf8")).not.toMatch(/url\(|@import/);
  }
});

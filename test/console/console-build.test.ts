import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { type BuiltConsole, builtConsole } from "./rig/built-console.ts";

let built: BuiltConsole;
let folder = "";

beforeAll(async () => {
  built = await builtConsole();
  folder = built.folder;
});

test("the build has nothing to warn about", () => {
  expect(built.output).toBe("");
});

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

test("the built page names everything the first screen waits for, so that it loads at once", async () => {
  const html = await readFile(path.join(folder, "index.html"), "utf8");
  const named = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map((match) => match[1] ?? "");
  const known = named.filter((name) => /^(shell|screens)-.*\.js$/.test(name)).map((name) => name.split("-")[0]);
  expect(known).toEqual(["screens", "shell"]);
  expect(named.filter((name) => name.endsWith(".css"))).toHaveLength(1);
  for (const name of named.filter((one) => one.endsWith(".js"))) {
    const code = await readFile(path.join(folder, "assets", name), "utf8");
    for (const [, file] of code.matchAll(/from"\.\/([^"]+\.js)"/g)) expect(named).toContain(file);
  }
});

test("every script and style sheet that is worth it is there as gzip too", async () => {
  const assets = path.join(folder, "assets");
  const names = await readdir(assets);
  const packed = names.filter((name) => name.endsWith(".gz"));
  for (const name of packed) {
    expect(gunzipSync(await readFile(path.join(assets, name)))).toEqual(
      await readFile(path.join(assets, name.slice(0, -3))),
    );
  }
  const missing = names.filter((name) => /\.(js|css)$/.test(name) && !packed.includes(`${name}.gz`));
  for (const name of missing) expect((await readFile(path.join(assets, name))).length).toBeLessThan(1_000);
  expect(packed.some((name) => name.startsWith("highlight-worker"))).toBe(true);
});

test("the built page loads nothing from anywhere else, and its one face is small", async () => {
  const assets = path.join(folder, "assets");
  const names = await readdir(assets);
  const styles = await Promise.all(
    names.filter((name) => name.endsWith(".css")).map((name) => readFile(path.join(assets, name), "utf8")),
  );
  const addresses = styles.flatMap((style) => [...style.matchAll(/url\(["']?([^)"']*)/g)].map(([, found]) => found));
  expect(addresses).toEqual([expect.stringMatching(/^\.\/funnel-display-[^/]+\.woff2$/)]);
  expect(styles.join("")).not.toContain("@import");
  for (const address of addresses) {
    expect((await readFile(path.join(assets, address ?? ""))).length).toBeLessThanOrEqual(40_000);
  }
});

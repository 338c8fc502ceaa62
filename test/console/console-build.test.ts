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

test("what screens share is in few files: a new chat waits for few scripts, and for none that is loaded on first use", async () => {
  const names = await readdir(path.join(folder, "assets"));
  const open = names.filter((name) => /^(index|shell|screens|chat-page)-[\w-]{8}\.js$/.test(name));
  expect(open).toHaveLength(4);
  const reached = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const code = await readFile(path.join(folder, "assets", name), "utf8");
    open.push(...[...code.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, file]) => file ?? ""));
  }
  expect(reached.size).toBeLessThanOrEqual(16);
  expect([...reached].filter((name) => /^(rendered-markdown|popups|dialog-popup|plot)-/.test(name))).toEqual([]);
  expect(names.filter((name) => /^(rendered-markdown|popups|dialog-popup|plot)-.*\.js$/.test(name))).toHaveLength(4);
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

import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../process/run.ts";
import { type PackedPackage, pack } from "./pack.ts";
import { type PackedService, startPacked } from "./start-packed.ts";

const root = new URL("../..", import.meta.url).pathname;
const folders = [
  "packages/a2a-protocol",
  "packages/plugin-sdk",
  "packages/config",
  "packages/agent-core",
  "packages/operator-api",
  "apps/server",
];

let target = "";
const packed = new Map<string, PackedPackage>();
const packageAt = (folder: string): PackedPackage => packed.get(folder) as PackedPackage;

/** A fenced block of the root README that holds `text`. */
async function readmeBlock(text: string): Promise<string> {
  const readme = await readFile(path.join(root, "README.md"), "utf8");
  return (
    [...readme.matchAll(/```\w*\n([\s\S]*?)```/g)]
      .map((match) => match[1] ?? "")
      .find((block) => block.includes(text)) ?? ""
  );
}

/** Kinds of results in the order they come, each run of equal ones once. */
function kindsIn(stream: string): readonly (string | undefined)[] {
  const kinds = [...stream.matchAll(/^data: .*?"result":\{"kind":"([a-z-]+)"/gm)].map((match) => match[1]);
  return kinds.filter((kind, index) => kind !== kinds[index - 1]);
}

/** The packages as their users get them: packed from the last build, unpacked side by side. */
beforeAll(async () => {
  const entries = ["dist/index.js", "dist/modules/index.js"];
  const unbuilt = folders.filter((folder) => !entries.some((entry) => existsSync(path.join(root, folder, entry))));
  expect(unbuilt, "run `pnpm build` first: what is published is the build").toEqual([]);
  target = await mkdtemp(path.join(tmpdir(), "publish-"));
  await Promise.all(folders.map(async (folder) => packed.set(folder, await pack(path.join(root, folder), target))));
});

afterAll(() => rm(target, { recursive: true, force: true }));

describe.each(folders)("%s as it is published", (folder) => {
  test("is clean to publint", async () => {
    const { tarball, manifest } = packageAt(folder);
    const contents = await readFile(tarball);
    const { messages } = await publint({ pack: { tarball: new Uint8Array(contents).buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  test("has types that every ESM resolution finds (attw)", async () => {
    const args = [
      packageAt(folder).tarball,
      "--profile",
      "esm-only",
      "--no-definitely-typed",
      "--format",
      "ascii",
      "--no-color",
    ];
    const { code, output } = await run(path.join(root, "node_modules/.bin/attw"), args, { cwd: target });
    expect(code, output).toBe(0);
  });

  test("carries its licence, a README and the same entry points as its sources", async () => {
    const { manifest, source, folder: unpacked } = packageAt(folder);
    expect(await readFile(path.join(unpacked, "LICENSE"), "utf8")).toBe(
      await readFile(path.join(root, "LICENSE"), "utf8"),
    );
    expect(await readFile(path.join(unpacked, "README.md"), "utf8")).toContain(`# ${manifest.name}`);
    expect(manifest).toMatchObject({ license: "MIT", type: "module" });
    expect(manifest.private).toBeUndefined();
    const sources = JSON.parse(await readFile(path.join(source, "package.json"), "utf8")) as PackedPackage["manifest"];
    const withoutSource = Object.entries(sources.exports).map(([entry, { "@agent-service/source": _, ...rest }]) => [
      entry,
      rest,
    ]);
    expect(manifest.exports).toEqual(Object.fromEntries(withoutSource));
  });

  test("names no dependency that only this workspace can resolve", () => {
    const ranges = Object.entries(packageAt(folder).manifest.dependencies ?? {});
    expect(ranges.filter(([, range]) => /^(workspace|catalog|link|file):/.test(range))).toEqual([]);
  });

  test("loads by each of its entry points", async () => {
    const { manifest } = packageAt(folder);
    const entries = Object.keys(manifest.exports).filter((entry) => entry !== "./package.json");
    const imports = entries.map((entry) => `await import(${JSON.stringify(manifest.name + entry.slice(1))});`);
    const { code, output } = await run(process.execPath, ["--input-type=module", "-e", imports.join("")], {
      cwd: target,
    });
    expect({ code, output }).toEqual({ code: 0, output: "" });
  });
});

test("the published service carries the console's build and a command that starts with Node's line", async () => {
  const { folder, manifest } = packageAt("apps/server");
  expect(await readFile(path.join(folder, "console/index.html"), "utf8")).toContain("<title>Agent Service</title>");
  for (const program of Object.values(manifest.bin ?? {})) {
    expect(await readFile(path.join(folder, program), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  }
});

describe("the service as someone installs it", () => {
  let service: PackedService | undefined;

  beforeAll(async () => {
    service = await startPacked(packageAt("apps/server"), target);
  });

  afterAll(() => service?.stop());

  test("the terminal shows the lines that the README shows", async () => {
    const shown = (await readmeBlock("pnpm start")).split("\n").slice(1, -1);
    const label = (line: string) => line.trim().split(/\s+/)[0];
    expect(service?.banner.filter((line) => !/^\d{4}-/.test(line)).map(label)).toEqual(shown.map(label));
  });

  test("the README's request is answered with the README's stream", async () => {
    const command = (await readmeBlock("curl -sN localhost:7870/a2a")).trim();
    const body = /-d '(.*)'$/.exec(command)?.[1] ?? "";
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${service?.address}/a2a`, { method: "POST", headers, body });
    const stream = await response.text();
    expect(kindsIn(stream)).toEqual(kindsIn(await readmeBlock('"kind":"task"')));
    expect(stream).toContain("calculator returned: 42");
    expect(stream.trimEnd().split("\n").at(-1)).toMatch(/"state":"completed".*"final":true/);
  });

  test("the card is at both well-known paths and the console at /app", async () => {
    for (const name of ["agent-card.json", "agent.json"]) {
      const response = await fetch(`${service?.address}/.well-known/${name}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ protocolVersion: expect.any(String) });
    }
    const page = await fetch(`${service?.address}/app`);
    const html = await page.text();
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? "";
    expect((await fetch(new URL(script, page.url))).headers.get("content-type")).toContain("text/javascript");
  });

  test("it ends by itself when asked to", async () => {
    expect(await service?.stop()).toBe(0);
    service = undefined;
  });
});

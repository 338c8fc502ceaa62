/** `pnpm new feature <name>` on a copy of the tree: what it changes, and that what it writes passes every check. */
import { spawn } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { featureLists } from "../../tools/new-feature/feature-lists.ts";
import { type CopyOfTree, changesOf, copyTree } from "./copy-of-tree.ts";

const repository = new URL("../..", import.meta.url).pathname;
/** On demand (`pnpm proof:new-feature`) the created files are held to the lint rules that need types too. */
const EVERY_RULE = process.env.EVERY_RULE === "1";
let copy: CopyOfTree;
let written: { readonly code: number | null; readonly output: string };

/** Runs a program in the copy, without what this test run left in the environment. */
function run(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  // The compile cache knows files by their path, and every copy has another.
  const ours = /^(VITEST|TEST|NODE_ENV|NODE_COMPILE_CACHE)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
  const child = spawn(process.execPath, args, { cwd: copy.root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output: code === 0 ? "" : output }));
  });
}

beforeAll(async () => {
  copy = copyTree(repository);
  written = await run("tools/new-feature/main.ts", "feature", "reading-list");
});

afterAll(() => rmSync(copy.root, { recursive: true, force: true }));

/** Pages that are generated from the code; they gain what the feature adds. */
const GENERATED = [
  "apps/server/agent-config.example.yaml",
  "docs/configuration.md",
  "packages/agent-core/public-names.json",
];

test("it adds one line to each list, and nothing to any other file but the generated pages", () => {
  expect(written).toEqual({ code: 0, output: "" });
  const changes = changesOf(repository, copy);
  const lists = featureLists.map(({ file }) => file);
  expect(changes.map(({ file }) => file).sort()).toEqual([...lists, ...GENERATED].sort());
  for (const { file, added, removed } of changes) {
    expect([file, removed]).toEqual([file, []]);
    if (!GENERATED.includes(file)) expect([file, added.length]).toEqual([file, 1]);
  }
});

describe("what it writes passes", () => {
  const passed = { code: 0, output: "" };
  const created = /reading[-_]list/;
  const files = async (): Promise<readonly string[]> =>
    copyFiles(copy.root).filter((file) => created.test(file) && /\.(ts|tsx)$/.test(file));

  test.concurrent("the types of every package, and of its own tests", async () => {
    const { references } = readConfig("tsconfig.test.json");
    const own = { outDir: ".cache/created", tsBuildInfoFile: ".cache/created.tsbuildinfo" };
    const include = (await files()).filter((file) => file.endsWith(".test.ts"));
    // The types of all other tests know no feature by name, and take as long to check as the packages.
    const config = { extends: "./tsconfig.test.json", compilerOptions: own, include, references };
    writeFileSync(join(copy.root, "tsconfig.created.json"), JSON.stringify(config));
    expect(include).toHaveLength(3);
    const packages = readConfig("tsconfig.json").references.filter(({ path }) => path !== "tsconfig.test.json");
    const projects = [...packages.map(({ path }) => path), "tsconfig.created.json"];
    // Several threads would each work out the same types, for twice the processor time.
    const compiler = ["node_modules/typescript/bin/tsc", "-b", "--singleThreaded"];
    expect(await run(...compiler, ...projects)).toEqual(passed);
  });

  test.concurrent("formatting and lint", async () => {
    const lists = featureLists.map(({ file }) => file).filter((file) => file.endsWith(".ts"));
    const paths = [...(await files()), ...lists];
    expect(await run("node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", ...paths)).toEqual(
      passed,
    );
    // The rules that need types read every package again, which the compiler does beside them.
    const typeAware = EVERY_RULE ? ["--type-aware"] : [];
    expect(await run("node_modules/oxlint/bin/oxlint", ...typeAware, ...paths)).toEqual(passed);
  });

  test.concurrent("the architecture rules, the checks of documents and settings, and its own tests", async () => {
    const tests = (await files()).filter((file) => /\.test\.tsx?$/.test(file));
    expect(tests).toHaveLength(4);
    const others = [
      "test/architecture.test.ts",
      "test/docs.test.ts",
      "test/docs/architecture-page.test.ts",
      "apps/server/src/settings/settings-effects.test.ts",
      "apps/server/src/settings/sections.test.ts",
      "packages/operator-api/src/create-operator-api.test.ts",
    ];
    // What holds for whatever a file of settings has in it does not depend on one section more.
    const without = ["--testNamePattern", "^(?!property:)"];
    // Each worker would load the service anew, for twice the processor time.
    const options = [...without, "--maxWorkers=1"];
    expect(await run("node_modules/vitest/vitest.mjs", "run", ...options, ...others, ...tests)).toEqual(passed);
  });
});

test("it refuses a name that is taken or not in kebab case, and writes nothing", async () => {
  const before = copyFiles(copy.root).length;
  for (const name of ["inbox", "ReadingList", "../x"])
    expect([name, (await run("tools/new-feature/main.ts", "feature", name)).code]).toEqual([name, 1]);
  expect(copyFiles(copy.root)).toHaveLength(before);
});

function readConfig(name: string) {
  return JSON.parse(readFileSync(join(copy.root, name), "utf8")) as {
    readonly references: readonly { readonly path: string }[];
  };
}

function copyFiles(root: string): readonly string[] {
  return globSync("{packages,apps}/*/{src,migrations}/**/*.*", { cwd: root });
}

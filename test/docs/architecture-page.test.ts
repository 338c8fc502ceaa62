import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { featureLists } from "../../tools/new-feature/feature-lists.ts";
import { readSourceTree } from "../architecture/source-tree.ts";
import {
  architectureFacts,
  entryPoints,
  modulesThatExist,
  packageRows,
  readEntryPoints,
  readModules,
  readPackageRows,
} from "./architecture-page.ts";

const root = new URL("../..", import.meta.url).pathname;
const tree = readSourceTree(root);
const read = (file: string): string => tree.get(file) ?? "";
const page = read("docs/architecture.md");
/** The page with its lines joined, so that a sentence is found wherever it breaks. */
const text = page.replaceAll(/\s+/g, " ");

test("the page has every package with what it may import", () => {
  expect(readPackageRows(page)).toEqual(packageRows());
});

test("the page has every entry point that a package exports", () => {
  expect([...readEntryPoints(page)].sort()).toEqual([...entryPoints(tree)].sort());
});

test("the page has every module of the engine, from the top down", () => {
  expect(readModules(page)).toEqual(modulesThatExist(tree.keys()));
});

test("operator-api imports nothing of config, as the dotted arrow shows", () => {
  const imports = [...tree].filter(
    ([file, text]) => file.startsWith("packages/operator-api/src/") && /from "@agent-service\/config/.test(text),
  );
  expect(imports.map(([file]) => file)).toEqual([]);
});

test("the page has every list that `pnpm new feature` adds a line to", () => {
  expect(featureLists.map(({ file }) => file).filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});

test("every file of a feature that the page names is one that `pnpm new feature` writes", () => {
  const named = Array.from(page.matchAll(/`([^`\s]*<name>[^`]*)`/g), ([, file = ""]) => file);
  expect(named.length).toBeGreaterThan(5);
  const templates = path.join(root, "tools/new-feature/templates");
  const isWritten = (file: string): boolean =>
    existsSync(path.join(templates, file.replaceAll("<name>", "example-note")));
  expect(named.filter((file) => !isWritten(file))).toEqual([]);
});

test("the events that the page names exist", () => {
  const named = Array.from(page.matchAll(/`((?:task|text|tool|model|prompt)\.\w+)`/g), ([, kind = ""]) => kind);
  expect(named.length).toBeGreaterThan(5);
  const kinds = read("packages/agent-core/src/event/task-event.ts");
  expect(named.filter((kind) => !kinds.includes(`"${kind}"`))).toEqual([]);
});

test("the phases of a feature are those of the engine, in their order", () => {
  const union = /type FeaturePhase =([^;]+);/.exec(read("packages/agent-core/src/feature/feature-error.ts"))?.[1] ?? "";
  const phases = Array.from(union.matchAll(/"(\w+)"/g), ([, phase = ""]) => phase);
  expect(phases).not.toEqual([]);
  expect(text).toContain(phases.join(" → "));
});

test("the hooks that the page names exist", () => {
  const named = /through hooks \(([^)]*)and others/.exec(text)?.[1] ?? "";
  const hooks = Array.from(named.matchAll(/`(\w+)`/g), ([, hook = ""]) => hook);
  expect(hooks).not.toEqual([]);
  const source = read("packages/agent-core/src/feature/feature.ts");
  expect(hooks.filter((hook) => !source.includes(`${hook}?(value: Value`))).toEqual([]);
});

test("the operations of the executor port are those that the page names", () => {
  const named = /the executor port: ([^.]*)\./.exec(text)?.[1] ?? "";
  const operations = Array.from(named.matchAll(/`(\w+)`/g), ([, operation = ""]) => operation);
  expect(operations).not.toEqual([]);
  const port = read("packages/a2a-protocol/src/server/executor.ts");
  expect(operations.filter((operation) => !new RegExp(`^  ${operation}\\??\\(`, "m").test(port))).toEqual([]);
});

test.each(architectureFacts)("$page, as $file has it", ({ page: claim, file, source }) => {
  expect(text).toContain(claim);
  expect(read(file)).toMatch(source);
});

import { expect, test } from "vitest";
import { docstringRule } from "./docstring-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";

const manifest = { exports: { ".": { "@agent-service/source": "./src/index.ts" } } };

function violations(files: Record<string, string>): string[] {
  const tree = treeOf({ "packages/config/package.json": JSON.stringify(manifest), ...files });
  return docstringRule(tree, parseTree(tree)).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

test("a public declaration without a docstring is found at its line, through every re-export", () => {
  const found = violations({
    "packages/config/src/index.ts": `export * from "./layer/index.ts"; export { save as store } from "./save.ts";`,
    "packages/config/src/layer/index.ts": `export { type Layer, merge } from "./layer.ts";`,
    "packages/config/src/layer/layer.ts": "export interface Layer {}\n/** Merges. */\nexport function merge() {}\n",
    "packages/config/src/save.ts": "// Saves.\nconst save = () => {};\nexport { save };\n",
  });
  expect(found).toEqual([
    "packages/config/src/layer/layer.ts:1 Layer is public and has no docstring",
    "packages/config/src/save.ts:2 store is public and has no docstring",
  ]);
});

test("what no entry point offers needs none, nor what comes from another package", () => {
  const found = violations({
    "packages/config/src/index.ts": `export { parse } from "yaml"; export { merge } from "./merge.ts";`,
    "packages/config/src/merge.ts":
      "export const depth = 1;\n/** Merges. */\n// A lint exception.\nexport function merge() {}\n",
  });
  expect(found).toEqual([]);
});

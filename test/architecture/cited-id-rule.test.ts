import { expect, test } from "vitest";
import { citedIdRule } from "./cited-id-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";

const page = "docs/specification/runtime.md";
const rows = "| id | Requirement |\n|---|---|\n| R1 | Nothing is lost. |\n| EN2 | Numbers have no gaps. |\n";

function violations(source: string, more: Record<string, string> = {}): string[] {
  const tree = treeOf({ [page]: rows, "packages/config/src/layer/layer.ts": source, ...more });
  return citedIdRule(tree, parseTree(tree)).map(({ message }) => message);
}

test.each([
  ["a comment", "// Kept in order (R2)."],
  ["a docstring", "/** Kept in order (EN3, R1). */ export const a = 1;"],
  ["a test's title", `test("keeps the order (R2)", () => {});`],
  ["the title of tests with rows", `it.each([1])("keeps the order (R2) of %s", () => {});`],
])("an id without a row is found in %s", (_where, source) => {
  expect(violations(source)).toEqual([expect.stringContaining("has no row in docs/specification")]);
});

test("an id in two rows is found", () => {
  const more = { "docs/specification/stores.md": "| R1 | Something else. |\n" };
  expect(violations("", more)).toEqual(["R1 is here and in docs/specification/stores.md"]);
  expect(violations("", { [page]: `${rows}| R1 | Again. |\n` })).toHaveLength(1);
});

test.each([
  ["ids that have a row", `// R1 and EN2.\ntest("numbers have no gaps (EN2)", () => {});`],
  ["text that is no citation", `const model = "R9"; // V8 keeps it, see /a/BA2 and R10-3.1.2-4.`],
])("%s pass", (_what, source) => {
  expect(violations(source)).toEqual([]);
});

test("a released migration keeps the ids of its time", () => {
  expect(violations("", { "packages/config/migrations/0001-first.ts": "// R9." })).toEqual([]);
});

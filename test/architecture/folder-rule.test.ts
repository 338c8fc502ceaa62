import { expect, test } from "vitest";
import { folderRule } from "./folder-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";

const violations = (source: string, path = "apps/server/src/theme/theme.ts") =>
  folderRule(parseTree(treeOf({ [path]: source })));

test.each([
  "await mkdir(folder, { recursive: true, mode: 0o700 });",
  "mkdirSync(folder, { recursive: true });",
  "fs.promises.mkdir(folder, { recursive: deep });",
  "const make = (folder) => { fs.mkdirSync(folder, { recursive: true }); };",
])("a folder that Node makes with those above it is found: %s", (source) => {
  expect(violations(source)).toMatchObject([{ line: 1, message: expect.stringContaining("makeFolder") }]);
});

test("one folder alone, other options and what no user runs pass", () => {
  expect(violations("mkdirSync(folder, { mode: 0o700 }); rm(folder, { recursive: true }); mkdir(folder);")).toEqual([]);
  const source = "mkdirSync(folder, { recursive: true });";
  expect(violations(source, "apps/server/src/theme/theme.test.ts")).toEqual([]);
  expect(violations(source, "bench/sessions.ts")).toEqual([]);
});

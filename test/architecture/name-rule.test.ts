import { expect, test } from "vitest";
import { nameRule } from "./name-rule.ts";
import { treeOf } from "./source-tree.ts";

test.each(["lib", "utils", "helpers", "common", "misc", "manager"])("a folder or file called %s is found", (name) => {
  const tree = treeOf({
    [`packages/config/src/${name}/read.ts`]: "",
    [`apps/server/src/${name}.test.ts`]: "",
    [`docs/guides/${name}.md`]: "",
  });
  expect(nameRule(tree)).toHaveLength(3);
});

test("a name that only contains such a name passes", () => {
  expect(nameRule(treeOf({ "packages/config/src/secrets-manager/commonmark.ts": "" }))).toEqual([]);
});

import { expect, test } from "vitest";
import { longFileRule } from "./long-file-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";

const file = "packages/config/src/layer/layer.ts";

function violations(lines: number, listed: readonly string[], path = file): string[] {
  return longFileRule(parseTree(treeOf({ [path]: "void 0;\n".repeat(lines) })), listed).map(({ message }) => message);
}

test("a file that grows above 300 lines is found unless it is on the list", () => {
  expect(violations(300, [])).toEqual([]);
  expect(violations(301, [])).toEqual([expect.stringContaining("grew to 301 lines")]);
  expect(violations(301, [file])).toEqual([]);
});

test("a row for a file that is short or missing must be removed", () => {
  expect(violations(300, [file])).toEqual([expect.stringContaining("remove it from")]);
  expect(violations(1, ["packages/config/src/gone.ts"])).toEqual([expect.stringContaining("remove it from")]);
});

test("tests, migrations and generated files may be long", () => {
  expect(violations(350, [], "packages/config/src/layer/layer.test.ts")).toEqual([]);
  expect(violations(350, [], "packages/config/src/layer/names.generated.ts")).toEqual([]);
});

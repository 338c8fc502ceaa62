import { expect, test } from "vitest";
import { fileCycleRule } from "./file-cycle-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";

function violations(files: Record<string, string>): string[] {
  return fileCycleRule(parseTree(treeOf(files))).map(({ message }) => message);
}

const at = "packages/config/src";

test.each([
  ["as values", `import { b } from "./b.ts";`, `export { a } from "./a.ts";`],
  ["as types", `import type { B } from "./b.ts";`, `import type { A } from "./a.ts";`],
  ["inside a type and at run time", `type B = import("./b.ts").B;`, `await import("./a.ts");`],
  ["as a worker", `new Worker(new URL("./b.ts", import.meta.url));`, `import type { A } from "./a.ts";`],
])("two files that import each other %s are found", (_form, a, b) => {
  const cycle = expect.stringContaining(`${at}/layer/a.ts → ${at}/layer/b.ts → ${at}/layer/a.ts`);
  expect(violations({ [`${at}/layer/a.ts`]: a, [`${at}/layer/b.ts`]: b })).toEqual([cycle]);
});

test("a cycle through a module's index and between files directly under src is found", () => {
  const throughIndex = {
    [`${at}/layer/index.ts`]: `export * from "./merge.ts";`,
    [`${at}/layer/merge.ts`]: `import type { Layer } from "./index.ts";`,
  };
  expect(violations(throughIndex)).toHaveLength(1);
  expect(violations({ [`${at}/a.ts`]: `import "./b.ts";`, [`${at}/b.ts`]: `import "./a.ts";` })).toHaveLength(1);
});

test("files that import the same file pass", () => {
  const files = { [`${at}/a.ts`]: `import "./c.ts";`, [`${at}/b.ts`]: `import "./c.ts";`, [`${at}/c.ts`]: "" };
  expect(violations(files)).toEqual([]);
});

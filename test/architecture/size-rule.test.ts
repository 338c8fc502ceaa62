import { expect, test } from "vitest";
import type { LimitException } from "./exceptions.ts";
import { parseTree } from "./parsed-file.ts";
import { sizeRule } from "./size-rule.ts";
import { treeOf } from "./source-tree.ts";

const lists = ["apps/server/src/features.ts"];

function violations(files: Record<string, string>, exceptions: readonly LimitException[] = []): string[] {
  return sizeRule(parseTree(treeOf(files)), { exceptions, lists }).map(({ message }) => message);
}

const lines = (count: number) => "void 0;\n".repeat(count);
const file = "packages/config/src/layer/layer.ts";

test("a source file may have 400 lines and no more", () => {
  expect(violations({ [file]: lines(400) })).toEqual([]);
  expect(violations({ [file]: lines(401) })).toEqual([expect.stringContaining("it has 401 lines")]);
});

test.each([
  ["a function", (body: string) => `export function grow() {\n${body}}\n`],
  ["an arrow function", (body: string) => `export const grow = () => {\n${body}};\n`],
  ["a method", (body: string) => `class Plant { grow() {\n${body}} }\n`],
  ["a function's inner functions", (body: string) => `function grow() {\nconst inner = () => {};\n${body.slice(8)}}\n`],
])("%s may have 80 lines and no more", (_what, wrap) => {
  expect(violations({ [file]: wrap(lines(78)) })).toEqual([]);
  expect(violations({ [file]: wrap(lines(79)) })).toEqual([expect.stringContaining("function grow has 81 lines")]);
});

test("tests, migrations and generated files are exempt", () => {
  const exempt = ["src/layer/layer.test.ts", "migrations/0001-first.ts", "src/layer/names.generated.ts"];
  expect(violations(Object.fromEntries(exempt.map((name) => [`packages/config/${name}`, lines(500)])))).toEqual([]);
});

test("an exception holds up to its ceiling and must go when it is no longer needed", () => {
  const exception = { file, of: "lines", ceiling: 450, why: "a table that reads best whole" } as const;
  expect(violations({ [file]: lines(450) }, [exception])).toEqual([]);
  expect(violations({ [file]: lines(451) }, [exception])).toEqual([expect.stringContaining("at most 450")]);
  expect(violations({ [file]: lines(400) }, [exception])).toEqual([expect.stringContaining("no longer needed")]);
});

test("a source file may have 20 imports and no more, unless it is a list or a test", () => {
  const imports = (count: number) => Array.from({ length: count }, (_, n) => `import "./part-${n}.ts";`).join("\n");
  expect(violations({ [file]: imports(20) })).toEqual([]);
  expect(violations({ [file]: `${imports(20)}\nimport type { Part } from "./part-0.ts";` })).toEqual([]);
  expect(violations({ [file]: imports(21) })).toEqual([expect.stringContaining("21 imports, at most 20")]);
  for (const free of ["apps/server/src/features.ts", "packages/config/src/index.ts", "packages/config/src/a.test.ts"])
    expect(violations({ [free]: imports(21) })).toEqual([]);
});

test("a folder may have 30 files beside its tests, and no more", () => {
  const folder = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        [`packages/config/src/layer/part-${n}.ts`, ""],
        [`packages/config/src/layer/part-${n}.test.ts`, ""],
      ]).flat(),
    );
  const exception = { file: "packages/config/src/layer", of: "files", ceiling: 31, why: "one file per key" } as const;
  expect(violations(folder(30))).toEqual([]);
  expect(violations(folder(31))).toEqual([expect.stringContaining("it has 31 files, at most 30")]);
  expect(violations(folder(31), [exception])).toEqual([]);
});

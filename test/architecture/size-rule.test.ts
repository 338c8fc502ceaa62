import { expect, test } from "vitest";
import type { SizeException } from "./architecture-plan.ts";
import { parseTree } from "./parsed-file.ts";
import { sizeRule } from "./size-rule.ts";
import { treeOf } from "./source-tree.ts";

function violations(files: Record<string, string>, exceptions: readonly SizeException[] = []): string[] {
  return sizeRule(parseTree(treeOf(files)), exceptions).map(({ message }) => message);
}

const lines = (count: number) => "void 0;\n".repeat(count);
const file = "packages/config/src/layer/layer.ts";

test("a source file may have 400 lines and no more", () => {
  expect(violations({ [file]: lines(400) })).toEqual([]);
  expect(violations({ [file]: lines(401) })).toEqual([expect.stringContaining("the file has 401 lines")]);
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
  const exception = { file, ceiling: 450, why: "a table that reads best whole" };
  expect(violations({ [file]: lines(450) }, [exception])).toEqual([]);
  expect(violations({ [file]: lines(451) }, [exception])).toEqual([expect.stringContaining("at most 450")]);
  expect(violations({ [file]: lines(400) }, [exception])).toEqual([expect.stringContaining("no longer needed")]);
});

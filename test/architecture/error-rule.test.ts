import { expect, test } from "vitest";
import { errorRule } from "./error-rule.ts";
import { parseTree } from "./parsed-file.ts";
import { treeOf } from "./source-tree.ts";

function violations(source: string, path = "packages/config/src/lock/lock.ts"): string[] {
  return errorRule(parseTree(treeOf({ [path]: source }))).map(({ message }) => message);
}

test("an exported error class without a code is found", () => {
  const source = "export class LockError extends Error { readonly file = 1; }";
  expect(violations(source)).toEqual([expect.stringContaining("LockError has no code")]);
});

test.each([
  ["a field", `export class LockError extends Error { readonly code = "locked"; }`],
  [
    "a declared field",
    "export class LockError extends Error { readonly code: Code; constructor(code: Code) { super(); } }",
  ],
  ["an accessor", `export class LockError extends Error { get code() { return "locked"; } }`],
  ["its parent", `export class LockError extends FileError {}`],
])("a code in %s passes", (_where, source) => {
  expect(violations(source)).toEqual([]);
});

test("an error that never leaves its file needs none", () => {
  expect(violations("class Refusal extends Error {}")).toEqual([]);
});

test("an error of the engine has the shape that includes whether it is final", () => {
  const path = "packages/agent-core/src/timer/timer-error.ts";
  const found = [expect.stringContaining("TimerError extends Error")];
  expect(violations(`export class TimerError extends Error { readonly code = "late"; }`, path)).toEqual(found);
  expect(violations(`export class TimerError extends CodedError<"late"> {}`, path)).toEqual([]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Mutant as StrykerMutant } from "@stryker-mutator/api/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseMutants, toMutant } from "../../tools/mutants/chosen-mutants.ts";
import { findFolder } from "../../tools/mutants/find-folder.ts";
import { keyOf, openOf, printReport, readReport, scoreOf, withoutFile } from "../../tools/mutants/mutant-report.ts";

let root = "";

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), "mutants-"));
  for (const folder of ["packages/core/src/task", "apps/server/src/task/late", "apps/server/src/access"]) {
    mkdirSync(path.join(root, folder), { recursive: true });
  }
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A mutant as Stryker plans it, on this line (counted from 0). */
const planned = (id: string, line: number, status?: StrykerMutant["status"]): StrykerMutant => ({
  ...{ id, fileName: path.resolve("src/a.ts"), mutatorName: "ConditionalExpression", replacement: "true" },
  location: { start: { line, column: 4 }, end: { line, column: 9 } },
  ...(status !== undefined && { status }),
});
const lineOf = (line: number, status: StrykerMutant["status"]) =>
  JSON.stringify(toMutant(planned(`${line}`, line, status), 0));

test("a folder is found by the end of its path, and a name that fits none or several is refused", () => {
  expect(findFolder(root, "access")).toBe("apps/server/src/access");
  expect(findFolder(root, "./packages/core/src/task/")).toBe("packages/core/src/task");
  expect(findFolder(root, "server/src")).toBe("apps/server/src");
  expect(findFolder(root, "late")).toBe("apps/server/src/task/late");
  expect(() => findFolder(root, "task")).toThrow("apps/server/src/task, packages/core/src/task");
  expect(() => findFolder(root, "cess")).toThrow("No source folder is called cess");
});

test("a sample has as many mutants as asked for, the same for the same seed whatever their order and ids", () => {
  const mutants = Array.from({ length: 40 }, (_, line) => planned(`${line}`, line));
  const drawn = (list: readonly StrykerMutant[], seed: string) => {
    const lines = new Map(list.map(({ id, location }) => [id, location.start.line]));
    return chooseMutants(list, { sample: 10, seed }).map((id) => lines.get(id));
  };
  const others = mutants.toReversed().map((mutant, id) => ({ ...mutant, id: `other-${id}` }));
  expect(drawn(mutants, "1")).toHaveLength(10);
  expect(drawn(others, "1")).toEqual(drawn(mutants, "1"));
  expect(drawn(mutants, "2")).not.toEqual(drawn(mutants, "1"));
  expect(drawn(mutants, "1")).toEqual(chooseMutants(mutants, { seed: "1" }).slice(0, 10).map(Number));
  expect(chooseMutants(mutants, { sample: 50, seed: "1" })).toHaveLength(40);
});

test("the survivors of a report are found again in the next plan, which counts lines from 0", () => {
  const report = readReport(
    ['{"all":9}', lineOf(3, "Survived"), lineOf(4, "Killed"), lineOf(5, "NoCoverage")].join("\n"),
  );
  const keys = openOf(report.mutants).map(keyOf);
  const ids = chooseMutants(
    [2, 3, 4, 5].map((line) => planned(`${line}`, line)),
    { keys, seed: "1" },
  );
  expect(ids.sort()).toEqual(["3", "5"]);
  const result = planned("3", 4, "Survived");
  expect(toMutant(result, 1)).toEqual({
    ...toMutant(planned("3", 3, "Survived"), 0),
    start: { line: 4, column: 4 },
    end: { line: 4, column: 9 },
  });
});

test("of a mutant that was tried again, the last outcome counts, and one that does not load counts not at all", () => {
  const lines = [
    '{"all":9}',
    lineOf(3, "Survived"),
    lineOf(4, "NoCoverage"),
    lineOf(5, "Timeout"),
    lineOf(6, "RuntimeError"),
  ];
  const report = readReport(`${[...lines, lineOf(3, "Killed")].join("\n")}\n`);
  expect([report.all, report.mutants.length, scoreOf(report.mutants)]).toEqual([9, 4, { noticed: 2, tried: 3 }]);
  expect(readReport("")).toEqual({ all: 0, mutants: [] });
});

test("a file that is tried again by itself leaves what is known of the others", () => {
  const of = (file: string) => JSON.stringify({ ...toMutant(planned("1", 1, "Killed"), 0), file });
  const text = ['{"all":9}', of("src/a.ts"), of("src/b/a.ts"), of("src/ba.ts"), ""].join("\n");
  expect(readReport(withoutFile(text, "a.ts")).mutants.map(({ file }) => file)).toEqual(["src/ba.ts"]);
  expect(withoutFile(text, "other.ts")).toBe(text);
  expect(withoutFile("", "a.ts")).toBe("");
});

test("what survived is printed with its place, its code and what stood there instead", () => {
  writeFileSync(path.join(root, "a.ts"), "one\nif (fine) go();\n");
  const report = readReport(['{"all":9}', lineOf(1, "Survived"), lineOf(0, "Killed")].join("\n"));
  expect(printReport("src", report, () => path.join(root, "a.ts")).split("\n")).toEqual([
    "1/2 (50.0 %)       src/a.ts",
    "  2:5 survived: fine)  →  true",
    "1/2 (50.0 %) of src, 2 of 9 mutants tried",
  ]);
});

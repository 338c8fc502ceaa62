import fc from "fast-check";
import { expect, test } from "vitest";
import { type DiffRow, lineDiff } from "./line-diff.ts";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, line) => `line ${line}`);

test("additions and removals are listed line by line, with a few lines around and folds between", () => {
  const before = numbered(30);
  const after = before.with(15, "another line");
  const { rows, added, removed } = lineDiff(before.join("\n"), after.join("\n"));
  expect([added, removed]).toEqual([1, 1]);
  expect(rows).toEqual([
    { kind: "fold", lines: 12 },
    ...["line 12", "line 13", "line 14"].map((text) => ({ kind: "same", text })),
    { kind: "removed", text: "line 15" },
    { kind: "added", text: "another line" },
    ...["line 16", "line 17", "line 18"].map((text) => ({ kind: "same", text })),
    { kind: "fold", lines: 11 },
  ]);
});

test("a line that only lost its end is the same line", () => {
  expect(lineDiff("a\nb\n", "a\nb")).toMatchObject({ added: 0, removed: 0 });
});

test("texts that differ wholly are reported as such, at once", () => {
  const { added, removed } = lineDiff(numbered(6_000).join("\n"), numbered(6_000).reverse().join("\n"));
  expect([added, removed]).toEqual([6_000, 6_000]);
});

test("lines added to a long text, or taken from it, are the only ones that changed, however many they are", () => {
  const [short, long] = [numbered(20), numbered(9_000)];
  expect(lineDiff(short.join("\n"), long.join("\n"))).toMatchObject({ added: 8_980, removed: 0 });
  expect(lineDiff(long.join("\n"), short.join("\n"))).toMatchObject({ added: 0, removed: 8_980 });
  const between = [...short, ...numbered(3_000).map((line) => `new ${line}`), "the end"];
  expect(lineDiff([...short, "the end"].join("\n"), between.join("\n"))).toMatchObject({ added: 3_000, removed: 0 });
  expect(lineDiff("", "a")).toMatchObject({ added: 1, removed: 0, rows: [{ kind: "added", text: "a" }] });
});

test("both texts can be read back from the rows and the folds", () => {
  const line = fc.constantFrom("a", "b", "ab", "ba");
  const text = fc.array(line, { minLength: 1, maxLength: 30 });
  const lengthOf = (rows: readonly DiffRow[], without: DiffRow["kind"]): number =>
    rows.reduce((sum, row) => sum + (row.kind === "fold" ? row.lines : row.kind === without ? 0 : 1), 0);
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { rows, added, removed } = lineDiff(before.join("\n"), after.join("\n"));
      expect(lengthOf(rows, "added")).toBe(before.length);
      expect(lengthOf(rows, "removed")).toBe(after.length);
      expect(added - removed).toBe(after.length - before.length);
    }),
  );
});

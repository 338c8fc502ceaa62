import { expect, test } from "vitest";
import { countLineChanges } from "./index.ts";

const count = (before: string | undefined, after: string | undefined) => {
  const [old, now] = [before, after].map((text) => (text === undefined ? undefined : Buffer.from(text)));
  const { added, removed } = countLineChanges(old, now);
  return [added, removed];
};

test("lines are counted with their ends, of a file that comes or goes all of them", () => {
  expect(count("a\nb\nc\n", "a\nB\nc\nd")).toEqual([2, 1]);
  expect(count("a\n", "a\r\n")).toEqual([1, 1]);
  expect([count(undefined, "a\nb"), count("a\n", undefined), count("", "")]).toEqual([
    ...[
      [2, 0],
      [0, 1],
    ],
    [0, 0],
  ]);
});

test("what is no text has no lines, and what is too different counts as replaced", () => {
  expect(count("a\n\0", "b\n")).toEqual([0, 0]);
  const lines = (sign: string): string => Array.from({ length: 1_000 }, (_, index) => `${sign}${index}\n`).join("");
  expect(count(`x\n${lines("a")}y\n`, `x\n${lines("b")}y\n`)).toEqual([1_000, 1_000]);
});

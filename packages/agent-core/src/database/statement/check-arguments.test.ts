import { expect, test } from "vitest";
import type { Value } from "../database-port.ts";
import { checkArguments } from "./check-arguments.ts";
import { readStatementText } from "./statement-text.ts";

const one = readStatementText("SELECT ?");

test("what SQLite can hold passes, with its size", () => {
  for (const value of ["text", 1, 1.5, -0, 7n, 2n ** 63n - 1n, -(2n ** 63n), null, new Uint8Array(9)] as Value[]) {
    expect(checkArguments(one, [value])).toBeGreaterThan(0);
  }
  expect(checkArguments(one, ["x".repeat(1000)])).toBeGreaterThan(999);
});

test("what the binding would abort on, change or lose is refused by name", () => {
  const cases: [unknown, string][] = [
    [true, "a boolean"],
    [undefined, "undefined"],
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
    [new Date(0), "an object (Date)"],
    [{ a: 1 }, "an object (Object)"],
    [Object.create(null), "an object (Object)"],
    [[1], "an object (Array)"],
    [() => 1, "function"],
    [Symbol("s"), "symbol"],
    [2n ** 63n, "does not fit 64 bits"],
  ];
  for (const [value, message] of cases) {
    expect(() => checkArguments(one, [value as Value])).toThrow(message);
    expect(() => checkArguments(one, [value as Value])).toThrow(expect.objectContaining({ code: "misuse" }));
  }
});

test("a NUL, at which the binding would cut a text, becomes the replacement character", () => {
  const args = ["a\0b\ud800", "fine"];
  checkArguments({ ...one, parameters: 2 }, args);
  expect(args).toEqual(["a\ufffdb\ufffd", "fine"]);
});

test("a JSON text with half of a surrogate pair, at which SQLite would break, becomes one without", () => {
  const args = [JSON.stringify({ text: "a\ud800b" })];
  checkArguments(one, args);
  expect(args).toEqual([JSON.stringify({ text: "a\ufffdb" })]);
});

test("the count must fit: the binding keeps the last value of an argument that is left out", () => {
  expect(() => checkArguments(one, [])).toThrow("takes 1 arguments and got 0");
  expect(() => checkArguments(one, [1, 2])).toThrow("takes 1 arguments and got 2");
});

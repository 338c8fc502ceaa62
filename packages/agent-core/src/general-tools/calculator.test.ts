import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateExpression } from "./evaluate-expression.ts";
import { CalculatorError } from "./index.ts";

function failure(expression: string): string {
  try {
    return `= ${evaluateExpression(expression)}`;
  } catch (error) {
    if (error instanceof CalculatorError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("calculator", () => {
  it.each([
    ["6*7", "42"],
    ["1 + 2 * 3", "7"],
    ["(1 + 2) * 3", "9"],
    ["10 - 4 - 3", "3"],
    ["2 ** 3 ** 2", "512"],
    ["-2 ** 2", "-4"],
    ["(-2) ** 2", "4"],
    ["2 ** -1", "0.5"],
    ["2 ** -2 ** 2", "0.0625"],
    ["--3", "3"],
    ["+-+3", "-3"],
    ["2 - -3", "5"],
    ["2*-3", "-6"],
    ["7 // 2", "3"],
    ["-7 // 2", "-4"],
    ["7 // -2", "-4"],
    ["7 % 3", "1"],
    ["-7 % 3", "2"],
    ["7 % -3", "-2"],
    ["-7.5 % 2", "0.5"],
    ["7.5 // 2", "3"],
    ["100 / 8 * 2", "25"],
    ["0 ** 0", "1"],
    ["(-1) ** 1000001", "-1"],
    ["0 ** 1000000", "0"],
    ["1_000 * .5", "500"],
    ["5.", "5"],
    ["1e3 + 2E-1", "1000.2"],
    [" 1\n+\t1 ", "2"],
  ])("%s is %s, as in Python", (expression, value) => {
    expect(evaluateExpression(expression)).toBe(value);
  });

  it.each([
    ["0.1 + 0.2", "0.3"],
    ["1.1 * 3", "3.3"],
    ["6 / 2", "3"],
    ["1 / 8", "0.125"],
    ["1 / 3", "0.3333333333333333"],
    ["2 / 3 * 3", "2"],
    ["-1 / 3", "-0.3333333333333333"],
    ["2 ** 0.5", "1.4142135623730951"],
    ["4 ** 0.5", "2"],
    ["2 ** 100", "1267650600228229401496703205376"],
    ["10 ** 400 / 3", "3.3333333333333333e+399"],
    ["1 / 3 / 10 ** 400", "3.3333333333333333e-401"],
    ["1e-9", "0.000000001"],
  ])("%s is %s: fractions are exact, only what has no short decimal form is rounded", (expression, value) => {
    expect(evaluateExpression(expression)).toBe(value);
  });

  it.each([
    ["1 / 0", "calculator.division-by-zero: division by zero"],
    ["1 // (2 - 2)", "calculator.division-by-zero: division by zero"],
    ["1 % 0", "calculator.division-by-zero: division by zero"],
    ["0 ** -1", "calculator.division-by-zero: division by zero"],
    ["0 ** -0.5", "calculator.division-by-zero: division by zero"],
    ["(-8) ** (1/3)", "calculator.not-a-number: a negative number to a fractional power is not a real number"],
    ["", "calculator.syntax: expected a number, found the end of the expression"],
    ["2 +", "calculator.syntax: expected a number, found the end of the expression"],
    ["(1 + 2", 'calculator.syntax: expected an operator or ")", found the end of the expression'],
    ["1 + 2)", 'calculator.syntax: expected an operator, found ")" at column 6'],
    ["2 3", 'calculator.syntax: expected an operator, found "3" at column 3'],
    ["2 * * 3", 'calculator.syntax: expected a number, found "*" at column 5'],
    ["2 ^ 3", 'calculator.syntax: unexpected "^" at column 3; a power is written **'],
    ["sqrt(2)", 'calculator.syntax: unexpected "sqrt" at column 1'],
    ["process.exit(1)", 'calculator.syntax: unexpected "process.exit" at column 1'],
    ["1,5", 'calculator.syntax: unexpected "," at column 2'],
    ['"a" * 3', 'calculator.syntax: unexpected "\\"" at column 1'],
    ["0x1f", 'calculator.syntax: unexpected "x1f" at column 2'],
    ["1 /* 2 */ 3", 'calculator.syntax: expected a number, found "*" at column 4'],
  ])("%j has no value: %s", (expression, message) => {
    expect(failure(expression)).toBe(message);
  });

  it("refuses what would grow without bound, at once (S7)", () => {
    for (const expression of [
      "9 ** 9 ** 9",
      "2 ** 1000000000",
      "0.5 ** 1000000000",
      "10 ** 10 ** 10 ** 10",
      "2 ** -1000000000",
      "1e999999999",
      "1e-999999999",
      "(2 ** 4000) * (2 ** 4000)",
      "(1e300 ** 4) ** 0.5 ** 0.5",
    ]) {
      expect(failure(expression)).toMatch(/^calculator\.too-large: /);
    }
    expect(failure(`${"(".repeat(400)}1${")".repeat(400)}`)).toMatch(/^calculator\.too-long: .*100 levels/);
    expect(failure(`${"-".repeat(900)}1`)).toMatch(/^calculator\.too-long: /);
    expect(failure(`${"1+".repeat(499)}1`)).toBe("= 500");
    expect(failure(`${"1+".repeat(600)}1`)).toMatch(/^calculator\.too-long: the expression has 1201 characters/);
  });

  it("gives a value or a CalculatorError for every text", () => {
    const pieces = fc.constantFrom("1", "0", ".5", "2.5", "+", "-", "*", "/", "//", "%", "**", "(", ")", " ", "e", "9");
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 25 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(texts, (expression) => {
        expect(failure(expression)).toMatch(/^(?:= -?\d|calculator\.)/);
      }),
      { numRuns: 1000 },
    );
  });
});

/** A random expression beside its value, reckoned without our parser and, for whole numbers, without our fractions. */
interface Reckoned {
  readonly text: string;
  /** Undefined: it divides by zero somewhere. */
  readonly whole: bigint | undefined;
}

function floorDivide(a: bigint, b: bigint): bigint {
  return a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
}

function combine(operator: string, a: Reckoned, b: Reckoned): Reckoned {
  const text = `(${a.text}) ${operator} (${b.text})`;
  if (a.whole === undefined || b.whole === undefined) return { text, whole: undefined };
  const [x, y] = [a.whole, b.whole];
  if (operator === "+") return { text, whole: x + y };
  if (operator === "-") return { text, whole: x - y };
  if (operator === "*") return { text, whole: x * y };
  if (y === 0n) return { text, whole: undefined };
  return { text, whole: operator === "//" ? floorDivide(x, y) : x - y * floorDivide(x, y) };
}

const { wholeNumbers } = fc.letrec<{ wholeNumbers: Reckoned }>((tie) => ({
  wholeNumbers: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.bigInt({ min: 0n, max: 10n ** 12n }).map((n) => ({ text: String(n), whole: n })),
    tie("wholeNumbers").map((a) => ({ text: `-(${a.text})`, whole: a.whole === undefined ? undefined : -a.whole })),
    fc
      .tuple(fc.constantFrom("+", "-", "*", "//", "%"), tie("wholeNumbers"), tie("wholeNumbers"))
      .map(([operator, a, b]) => combine(operator, a, b)),
  ),
}));

describe("calculator on random expressions", () => {
  it("agrees with BigInt wherever the numbers are whole", () => {
    fc.assert(
      fc.property(wholeNumbers, ({ text, whole }) => {
        if (text.length > 1000) return;
        const expected = whole === undefined ? "calculator.division-by-zero: division by zero" : `= ${whole}`;
        const actual = failure(text);
        if (!actual.startsWith("calculator.too-")) expect(actual).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it("reads operators without parentheses as JavaScript does, which orders and groups them alike", () => {
    const number = fc.integer({ min: 1, max: 99 }).map(String);
    const operator = fc.constantFrom("+", "-", "*", "/", "+ -", "- -", "* -");
    const chain = fc.tuple(number, fc.array(fc.tuple(operator, number), { maxLength: 12 }));
    fc.assert(
      fc.property(chain, ([first, rest]) => {
        const text = [first, ...rest.flat()].join(" ");
        const reference = runInNewContext(text) as number;
        const scale = Math.max(1, Math.abs(reference));
        expect(Math.abs(Number(evaluateExpression(text)) - reference) / scale).toBeLessThan(1e-9);
      }),
      { numRuns: 500 },
    );
  });

  it("rounds a quotient to the double that is nearest", () => {
    const number = fc.integer({ min: 1, max: 2 ** 31 });
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(Number(evaluateExpression(`${a}/${b}`))).toBe(a / b);
      }),
      { numRuns: 1000 },
    );
  });
});

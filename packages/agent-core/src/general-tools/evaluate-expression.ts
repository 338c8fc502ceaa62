import { type BinaryOperator, type Expression, parseExpression } from "./parse-expression.ts";
import {
  add,
  divide,
  floorDivide,
  formatRational,
  modulo,
  multiply,
  negate,
  parseRational,
  power,
  type Rational,
} from "./rational.ts";

const OPERATIONS: { readonly [operator in BinaryOperator]: (a: Rational, b: Rational) => Rational } = {
  "+": add,
  "-": (a, b) => add(a, negate(b)),
  "*": multiply,
  "/": divide,
  "//": floorDivide,
  "%": modulo,
  "**": power,
};

/** A chain such as `1+1+1+…` is as deep as it is long on its left, at most 500 levels for 1,000 characters. */
function evaluate(expression: Expression): Rational {
  switch (expression.kind) {
    case "number":
      return parseRational(expression.text);
    case "negate":
      return negate(evaluate(expression.operand));
    case "binary":
      return OPERATIONS[expression.operator](evaluate(expression.left), evaluate(expression.right));
  }
}

/**
 * The value of an arithmetic expression as text. Reckons in exact fractions: only a fractional power and the last
 * step, writing down what has no short decimal form, round.
 * @throws CalculatorError
 */
export function evaluateExpression(source: string): string {
  return formatRational(evaluate(parseExpression(source)));
}

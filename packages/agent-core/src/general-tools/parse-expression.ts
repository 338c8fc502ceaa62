/**
 * Reads an arithmetic expression into a tree: numbers, `+ - * / // % **`, signs, parentheses, and nothing else
 * (B80). Precedence is Python's: `**` binds tightest and to the right, tighter than a sign on its
 * left (`-2**2` is `-(2**2)`) and looser than one on its right (`2**-1`); then signs, then `* / // %`, then `+ -`.
 * Why not a general expression parser: `docs/decisions/calculator-parser.md`.
 */
import { CalculatorError } from "./calculator-error.ts";

/** Operators between two values. */
export type BinaryOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**";

/** A tree of numbers and operators. `text` is the number as written. */
export type Expression =
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "negate"; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

export const MAX_EXPRESSION_CHARS = 1000;
/** Most parentheses, signs and powers inside one another. */
const MAX_DEPTH = 100;

const TOKEN = /\s*(?:((?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(\*\*|\/\/|[-+*/%()]))/y;

interface Token {
  readonly kind: "number" | "operator" | "end";
  readonly text: string;
  /** Where it begins, counted from 1. */
  readonly column: number;
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  let at = 0;
  const end = source.trimEnd().length;
  while (at < end) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match === null) {
      const column = source.length - source.slice(at).trimStart().length;
      const hint = source[column] === "^" ? "; a power is written **" : "";
      const message = `unexpected ${quote(source.slice(column))} at column ${column + 1}${hint}`;
      throw new CalculatorError("calculator.syntax", message);
    }
    const text = match[1] ?? match[2]!;
    at = pattern.lastIndex;
    tokens.push({ kind: match[1] === undefined ? "operator" : "number", text, column: at - text.length + 1 });
  }
  tokens.push({ kind: "end", text: "", column: end + 1 });
  return tokens;
}

/** The name or character that a rest begins with, quoted. */
function quote(rest: string): string {
  return JSON.stringify(/^(?:[\p{L}_][\p{L}\p{N}_.]{0,30}|[\s\S])/u.exec(rest)?.[0] ?? "");
}

/** Parses `source`. @throws CalculatorError `calculator.syntax` or `calculator.too-long` */
export function parseExpression(source: string): Expression {
  if (source.length > MAX_EXPRESSION_CHARS) {
    const message = `the expression has ${source.length} characters; at most ${MAX_EXPRESSION_CHARS} are accepted`;
    throw new CalculatorError("calculator.too-long", message);
  }
  const tokens = tokenize(source);
  let next = 0;

  const peek = (): Token => tokens[next]!;
  function unexpected(wanted: string): CalculatorError {
    const { kind, text, column } = peek();
    const found = kind === "end" ? "the end of the expression" : `${JSON.stringify(text)} at column ${column}`;
    return new CalculatorError("calculator.syntax", `expected ${wanted}, found ${found}`);
  }
  function take(...texts: readonly string[]): string | undefined {
    const { kind, text } = peek();
    if (kind !== "operator" || !texts.includes(text)) return undefined;
    next++;
    return text;
  }
  function deeper(depth: number): number {
    if (depth < MAX_DEPTH) return depth + 1;
    throw new CalculatorError("calculator.too-long", `the expression nests more than ${MAX_DEPTH} levels deep`);
  }

  function sum(depth: number): Expression {
    let left = product(depth);
    for (let operator = take("+", "-"); operator !== undefined; operator = take("+", "-")) {
      left = { kind: "binary", operator: operator as BinaryOperator, left, right: product(depth) };
    }
    return left;
  }
  function product(depth: number): Expression {
    let left = signed(depth);
    for (let operator = take("*", "/", "//", "%"); operator !== undefined; operator = take("*", "/", "//", "%")) {
      left = { kind: "binary", operator: operator as BinaryOperator, left, right: signed(depth) };
    }
    return left;
  }
  function signed(depth: number): Expression {
    const sign = take("+", "-");
    if (sign === undefined) return power(depth);
    const operand = signed(deeper(depth));
    return sign === "-" ? { kind: "negate", operand } : operand;
  }
  function power(depth: number): Expression {
    const base = atom(depth);
    if (take("**") === undefined) return base;
    return { kind: "binary", operator: "**", left: base, right: signed(deeper(depth)) };
  }
  function atom(depth: number): Expression {
    const { kind, text } = peek();
    if (kind === "number") {
      next++;
      return { kind: "number", text };
    }
    if (take("(") === undefined) throw unexpected("a number");
    const inner = sum(deeper(depth));
    if (take(")") === undefined) throw unexpected('an operator or ")"');
    return inner;
  }

  const expression = sum(0);
  if (peek().kind !== "end") throw unexpected("an operator");
  return expression;
}

/**
 * Exact fractions: what a calculator should reckon in, so that 0.1 + 0.2 is 0.3. Bounded, so that no expression can
 * hold the process up.
 */
import { CalculatorError } from "./calculator-error.ts";

/** `numerator / denominator` in lowest terms, the denominator positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Most bits of a numerator or denominator: about 1,233 decimal digits. */
export const MAX_BITS = 4096;

const LIMIT = 1n << BigInt(MAX_BITS);
const TOO_LARGE = "a value on the way has more than about 1,200 digits";

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** @throws CalculatorError `calculator.too-large`, or `calculator.division-by-zero` for a denominator of 0 */
export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new CalculatorError("calculator.division-by-zero", "division by zero");
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = denominator === 1n ? 1n : gcd(numerator, denominator * sign);
  const result = { numerator: (numerator * sign) / divisor, denominator: (denominator * sign) / divisor };
  const size = result.numerator < 0n ? -result.numerator : result.numerator;
  if (size >= LIMIT || result.denominator >= LIMIT) throw new CalculatorError("calculator.too-large", TOO_LARGE);
  return result;
}

/** Reads `12`, `1_000`, `0.5`, `.5`, `1e-9` exactly. @throws CalculatorError `calculator.too-large` */
export function parseRational(text: string): Rational {
  const [mantissa = "", exponentText = "0"] = text.replaceAll("_", "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const exponent = Number(exponentText) - fraction.length;
  if (Math.abs(exponent) > MAX_BITS) throw new CalculatorError("calculator.too-large", TOO_LARGE);
  const digits = BigInt(whole + fraction);
  return exponent >= 0 ? rational(digits * 10n ** BigInt(exponent)) : rational(digits, 10n ** BigInt(-exponent));
}

export function add(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function negate(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** a ÷ b. @throws CalculatorError `calculator.division-by-zero` */
export function divide(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** The largest whole number not above a ÷ b, as Python's `//`. @throws CalculatorError `calculator.division-by-zero` */
export function floorDivide(a: Rational, b: Rational): Rational {
  const { numerator, denominator } = divide(a, b);
  const truncated = numerator / denominator;
  return rational(numerator < 0n && truncated * denominator !== numerator ? truncated - 1n : truncated);
}

/** What floor division leaves, with the sign of `b`, as Python's `%`. @throws CalculatorError `calculator.division-by-zero` */
export function modulo(a: Rational, b: Rational): Rational {
  return add(a, negate(multiply(floorDivide(a, b), b)));
}

function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length;
}

/**
 * a to the power b: exact for a whole b, otherwise the nearest double. 0 ** 0 is 1.
 * @throws CalculatorError `calculator.too-large`, `calculator.division-by-zero` (0 to a negative power),
 * `calculator.not-a-number` (a negative number to a fractional power)
 */
export function power(a: Rational, b: Rational): Rational {
  if (b.denominator !== 1n) return approximatePower(a, b);
  if (b.numerator < 0n) return power(divide({ numerator: 1n, denominator: 1n }, a), negate(b));
  const trivial = a.denominator === 1n && a.numerator >= -1n && a.numerator <= 1n;
  if (trivial) {
    if (b.numerator === 0n || a.numerator === 1n) return rational(1n);
    return a.numerator === 0n || b.numerator % 2n === 1n ? a : rational(1n);
  }
  // Checked before reckoning: the result has at least (bits − 1) × exponent bits, and bits is at least 2 here.
  const bits = BigInt(Math.max(bitsOf(a.numerator), bitsOf(a.denominator)));
  if ((bits - 1n) * b.numerator > BigInt(MAX_BITS)) throw new CalculatorError("calculator.too-large", TOO_LARGE);
  return rational(a.numerator ** b.numerator, a.denominator ** b.numerator);
}

function approximatePower(a: Rational, b: Rational): Rational {
  if (a.numerator < 0n) {
    const message = "a negative number to a fractional power is not a real number";
    throw new CalculatorError("calculator.not-a-number", message);
  }
  const value = toNumber(a) ** toNumber(b);
  if (!Number.isFinite(value)) {
    if (a.numerator === 0n) throw new CalculatorError("calculator.division-by-zero", "division by zero");
    throw new CalculatorError("calculator.too-large", "a fractional power is beyond the range of floating point");
  }
  return parseRational(String(value));
}

/** `digits × 10^exponent`, about 30 significant digits of |a|; plenty to round to the nearest double. */
function significant(a: Rational): { digits: bigint; exponent: number } {
  const size = a.numerator < 0n ? -a.numerator : a.numerator;
  const exponent = size.toString().length - a.denominator.toString().length - 30;
  const digits =
    exponent >= 0
      ? size / (a.denominator * 10n ** BigInt(exponent))
      : (size * 10n ** BigInt(-exponent)) / a.denominator;
  return { digits, exponent };
}

/** The nearest double; infinite when there is none. */
export function toNumber(a: Rational): number {
  const { digits, exponent } = significant(a);
  return Number(`${a.numerator < 0n ? "-" : ""}${digits}e${exponent}`);
}

/** Most digits after the point that are shown as they are. */
const MAX_DECIMALS = 30;

/**
 * Whole numbers in full, decimal fractions of at most 30 decimals in full, everything else as the shortest text of the
 * nearest double (`1/3` is `0.3333333333333333`), or with an exponent where doubles end.
 */
export function formatRational(a: Rational): string {
  if (a.denominator === 1n) return a.numerator.toString();
  const scaled = a.numerator * 10n ** BigInt(MAX_DECIMALS);
  if (scaled % a.denominator === 0n) {
    const digits = (scaled < 0n ? -scaled : scaled) / a.denominator;
    const padded = digits.toString().padStart(MAX_DECIMALS + 1, "0");
    const decimals = padded.slice(-MAX_DECIMALS).replace(/0+$/, "");
    return `${a.numerator < 0n ? "-" : ""}${padded.slice(0, -MAX_DECIMALS)}.${decimals}`;
  }
  const value = toNumber(a);
  if (Number.isFinite(value) && value !== 0) return String(value);
  const { digits, exponent } = significant(a);
  const text = digits.toString();
  const mantissa = `${text[0]}.${text.slice(1, 17)}`;
  const power = exponent + text.length - 1;
  return `${a.numerator < 0n ? "-" : ""}${mantissa}e${power < 0 ? "" : "+"}${power}`;
}

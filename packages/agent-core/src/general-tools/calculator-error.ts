import { CodedError } from "../error/index.ts";

export type CalculatorErrorCode =
  | "calculator.syntax"
  | "calculator.too-long"
  | "calculator.too-large"
  | "calculator.division-by-zero"
  | "calculator.not-a-number";

/** An expression without a value; the message is for whoever wrote it. */
export class CalculatorError extends CodedError<CalculatorErrorCode> {
  override readonly name = "CalculatorError";
}

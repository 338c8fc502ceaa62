import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { evaluateExpression } from "./evaluate-expression.ts";

/** `calculator(expression)` (B80). Pure: nothing but its argument goes into it. */
export const calculator: AnyTool = defineTool({
  name: "calculator",
  description:
    "Evaluate an arithmetic expression exactly. Numbers, + - * / // (floor division) % (modulo) ** (power), signs and parentheses only; no variables, no functions. Square root: x ** 0.5.",
  input: v.object({
    expression: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.description('For example "(3 + 4) * 2 ** 10".')),
  }),
  effect: "pure",
  content: "own",
  present: { asks: "Calculate {expression}?", doing: "Calculating {expression}", done: "{expression} = {result}" },
  run: ({ expression }) => evaluateExpression(expression),
});

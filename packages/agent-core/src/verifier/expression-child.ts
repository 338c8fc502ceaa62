/**
 * The process of expressions: a line once it has begun, then a line of JSON for each, a line for each answer; it ends with its input. Node runs it without rights
 * and with a small heap: an expression that fills it ends this process and no other.
 */
import { createInterface } from "node:readline";
import jsonata from "jsonata";
import {
  EXPRESSION_MS,
  type ExpressionJob,
  type ExpressionOutcome,
  type ExpressionReply,
  MAX_VALUE_CHARS,
} from "./expression-message.ts";

const BOUNDS = { timeout: EXPRESSION_MS, stack: 500, sequence: 100_000 };

function problem(what: string, error: unknown): ExpressionOutcome {
  const { code, position } = error as { readonly code?: string; readonly position?: number };
  const reason = code === "D1012" ? "it takes too long" : `JSONata ${code ?? "error"}`;
  return { problem: `the expression ${what} at character ${position ?? 0}: ${reason}` };
}

async function evaluate({ expr, input }: ExpressionJob): Promise<ExpressionOutcome> {
  let read: ReturnType<typeof jsonata>;
  try {
    read = jsonata(expr, BOUNDS);
  } catch (error) {
    return problem("is wrong", error);
  }
  if (input === undefined) return { met: false, value: "" };
  let document: unknown;
  try {
    document = JSON.parse(input);
  } catch {
    return { problem: "what the expression looks at is no JSON" };
  }
  try {
    const value: unknown = await read.evaluate(document);
    const met: unknown = await jsonata("$boolean($)").evaluate(value);
    return { met: met === true, value: (JSON.stringify(value) ?? "null").slice(0, MAX_VALUE_CHARS) };
  } catch (error) {
    return problem("failed", error);
  }
}

// What is asked before is read now: how long the process took to begin says nothing about the first expression.
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const outcome = await evaluate(JSON.parse(line) as ExpressionJob);
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${JSON.stringify({ outcome, cpuMs: (user + system) / 1_000 } satisfies ExpressionReply)}\n`);
}

/** What a check is asked for with (G12). */
import * as v from "valibot";
import { invalid } from "./verifier-error.ts";

/** Names of the runners whose summaries are recognised. */
export const RUNNERS = ["node", "vitest", "jest", "mocha", "pytest", "go", "cargo", "tap"] as const;
export type Runner = (typeof RUNNERS)[number];

const text = (most: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(most));
const path = text(4_096);
const timeout = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3_600)));
const pin = v.optional(v.pipe(v.array(path), v.maxLength(20)));
const command = text(32_768);
// The last part of what a check looks for may be long; a file or page of it is not.
const contains = text(8_192);
export const expressionSchema = text(8_192);

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}:[a-z0-9][a-z0-9_-]{0,63}$/;

const specSchema = v.variant("type", [
  v.strictObject({ type: v.literal("command"), command, timeout, cwd: v.optional(path), pin }),
  v.strictObject({
    ...{ type: v.literal("test"), command, timeout, cwd: v.optional(path), pin },
    runner: v.optional(v.picklist(RUNNERS)),
  }),
  v.strictObject({
    type: v.literal("ci"),
    pr: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    branch: v.optional(v.pipe(text(255), v.regex(/^[^-\s][^\s]*$/))),
    repo: v.optional(v.pipe(text(255), v.regex(/^(?:[A-Za-z0-9][\w.-]*\/){1,2}[\w.-]+$/))),
    cwd: v.optional(path),
  }),
  v.strictObject({
    ...{ type: v.literal("data"), path, pin },
    contains: v.optional(contains),
    expr: v.optional(expressionSchema),
  }),
  v.strictObject({
    type: v.literal("plugin"),
    check: v.pipe(v.string(), v.regex(NAME)),
    args: v.optional(v.record(v.string(), v.unknown()), {}),
  }),
  v.strictObject({ type: v.literal("llm") }),
]);

/** A check as it is asked for. */
export type VerifierSpec = v.InferOutput<typeof specSchema>;
export type SpecOf<Type extends VerifierSpec["type"]> = Extract<VerifierSpec, { readonly type: Type }>;

const TYPES: ReadonlySet<unknown> = new Set(["command", "test", "ci", "data", "plugin", "llm"]);
const MAX_SPEC_CHARS = 64 * 1024;

/** Reads a check: an object with a `type`, `llm`, or the name of a plugin's verifier. @throws VerifierError verifier.invalid */
export function readSpec(given: unknown): VerifierSpec {
  const asked = typeof given === "string" ? named(given) : given;
  const type = (asked as { readonly type?: unknown } | null)?.type;
  if (!TYPES.has(type)) throw invalid("a verifier's type is one of command, test, ci, data, plugin and llm");
  if (JSON.stringify(asked).length > MAX_SPEC_CHARS) throw invalid("the verifier is too large");
  const read = v.safeParse(specSchema, asked);
  if (!read.success) throw invalid(problemOf(read.issues));
  const spec = read.output;
  if (spec.type === "ci" && (spec.pr === undefined) === (spec.branch === undefined))
    throw invalid("a ci verifier has either `pr` or `branch`");
  if (spec.type === "data" && (spec.contains === undefined) === (spec.expr === undefined))
    throw invalid("a data verifier has either `contains` or `expr`");
  return spec;
}

function named(name: string): object {
  if (name === "llm") return { type: "llm" };
  if (!NAME.test(name))
    throw invalid("a verifier's name has two parts, such as core:url; llm is the judgment of a model");
  return { type: "plugin", check: name };
}

/** Names the keys that do not fit, and nothing of what they hold. */
export function problemOf(issues: readonly v.BaseIssue<unknown>[]): string {
  const keys = new Set(issues.map((issue) => v.getDotPath(issue as v.BaseIssue<unknown>) ?? "the whole"));
  return `these are missing or do not fit: ${[...keys].slice(0, 10).join(", ").slice(0, 400)}`;
}

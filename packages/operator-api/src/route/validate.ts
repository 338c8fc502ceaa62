import * as v from "valibot";
import { Problem, type ProblemEntry } from "../problem/index.ts";
import { misplacedList } from "./misplaced-list.ts";

/** Entries of one 422; what is wrong beyond them shows when these are right. */
const MAX_ENTRIES = 20;
/** Characters of a key in `loc`; keys of maps are the caller's own. */
const MAX_KEY = 100;

/** Where a value came from, first in `loc`. */
export type Part = "path" | "query" | "header" | "body";

/**
 * The value as the schema makes it. Refused values become the list of a 422 (B30) that names paths and
 * what was expected there, never what was sent: it may be a secret. Valibot's own messages quote the value, so only
 * messages written by a schema's author are used. @throws Problem 422
 */
export function validate<TSchema extends v.GenericSchema>(
  schema: TSchema,
  value: unknown,
  part: Part,
): v.InferOutput<TSchema> {
  const path = misplacedList(schema, value);
  if (path !== undefined)
    throw new Problem(422, [{ loc: [part, ...path.map(shortened)], msg: "Expected Object.", type: "object" }]);
  const result = v.safeParse(schema, value, { message: expectation });
  if (result.success) return result.output;
  throw new Problem(
    422,
    result.issues.slice(0, MAX_ENTRIES).map((issue) => entryOf(issue, part)),
  );
}

function expectation(issue: v.BaseIssue<unknown>): string {
  if (isMissing(issue)) return "This field is required.";
  if (issue.expected === "never") return "This field is not known here.";
  if (issue.type === "integer" || issue.type === "safe_integer") return "Expected a whole number.";
  if (issue.type === "finite") return "Expected a finite number.";
  return issue.expected === null ? "This value is not accepted." : `Expected ${issue.expected}.`;
}

function entryOf(issue: v.BaseIssue<unknown>, part: Part): ProblemEntry {
  const keys = (issue.path ?? []).map(({ key }) => shortened(key));
  return { loc: [part, ...keys], msg: issue.message, type: isMissing(issue) ? "missing" : issue.type };
}

function shortened(key: unknown): string | number {
  return typeof key === "number" ? key : String(key).slice(0, MAX_KEY);
}

function isMissing({ received, path }: v.BaseIssue<unknown>): boolean {
  return received === "undefined" && path !== undefined;
}

/**
 * JSON Schemas that were not written here: of a form's steps, of a structured answer, of a program's tool. They may be
 * wrong, and must not leave a person before a form that nothing satisfies or hold up the process (A13, A17, S7).
 */
import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { withinTime } from "./within-time.ts";

/**
 * Milliseconds one validation may take: a pattern or nesting that needs longer counts as a broken schema. Ordinary ones
 * take under one; the rest is room for a busy machine.
 */
const VALIDATION_MS = 500;
const MAX_DEPTH = 64;
const TYPES: ReadonlySet<unknown> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
const CHILD_MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const CHILD_LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const CHILDREN = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];

/** A JSON Schema object. */
export type JsonSchema = { readonly [key: string]: unknown };

/** One thing that does not fit. */
export interface SchemaError {
  /** The keyword of the schema that it does not fit. */
  readonly keyword: string;
  /** Where the value is, as a JSON pointer: `#/address/zip`. */
  readonly instanceLocation: string;
  readonly error: string;
}

/** Whether an answer fits; `broken`: the schema cannot be used, and why. */
export type SchemaVerdict =
  | { readonly kind: "valid" }
  /** The errors run from the outermost schema to the one that failed; there is at least one. */
  | { readonly kind: "invalid"; readonly errors: readonly SchemaError[] }
  | { readonly kind: "broken"; readonly problem: string };

/** True for anything that has named members. */
export function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The draft that `$schema` names; 2020-12 where it names none. */
export function draftOf(schema: JsonSchema): SchemaDraft {
  const named = typeof schema.$schema === "string" ? schema.$schema : "";
  if (named.includes("draft-04")) return "4";
  if (named.includes("draft-07") || named.includes("draft-06")) return "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

/** What is wrong with one keyword's shape. */
function keywordProblem(schema: JsonSchema): string | undefined {
  const { type, properties, required, enum: choices, pattern } = schema;
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).every((one) => TYPES.has(one))) {
    return `unknown type ${JSON.stringify(type)}`;
  }
  if (properties !== undefined && !isObject(properties)) return "properties must be an object";
  // Draft 4's `required: true` inside a property is a common slip; it would be skipped, so it is named instead.
  if (required !== undefined && !(Array.isArray(required) && required.every((key) => typeof key === "string"))) {
    return "required must be a list of property names";
  }
  if (choices !== undefined && !(Array.isArray(choices) && choices.length > 0)) return "enum must be a list of values";
  if (pattern !== undefined && typeof pattern !== "string") return "pattern must be a text";
  if (pattern !== undefined) {
    try {
      new RegExp(pattern, "u");
    } catch {
      return `pattern ${JSON.stringify(pattern)} is not a regular expression`;
    }
  }
  return undefined;
}

function subschemas(schema: JsonSchema): [string, unknown][] {
  const found: [string, unknown][] = [];
  for (const key of CHILD_MAPS) {
    const map = schema[key];
    if (isObject(map)) for (const [name, child] of Object.entries(map)) found.push([`${key}.${name}`, child]);
  }
  for (const key of [...CHILD_LISTS, "items"]) {
    const list = schema[key];
    if (Array.isArray(list)) for (const [index, child] of list.entries()) found.push([`${key}.${index}`, child]);
  }
  for (const key of CHILDREN) {
    const child = schema[key];
    if (child !== undefined && !Array.isArray(child)) found.push([key, child]);
  }
  return found;
}

function problemIn(schema: unknown, path: string, depth: number): string | undefined {
  if (typeof schema === "boolean") return undefined;
  const at = path === "" ? "" : ` at ${path}`;
  if (!isObject(schema)) return `a schema must be an object${at}`;
  if (depth > MAX_DEPTH) return `the schema nests more than ${MAX_DEPTH} levels deep`;
  const problem = keywordProblem(schema);
  if (problem !== undefined) return `${problem}${at}`;
  for (const [key, child] of subschemas(schema)) {
    const inside = problemIn(child, path === "" ? key : `${path}.${key}`, depth + 1);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/**
 * Validates `value`, plain JSON, by `schema` (JSON Schema 2020-12; draft 4, 7 or 2019-09 when `$schema` names it).
 * Never throws and takes at most half a second. `everyError`: reports every error, not only the first.
 */
export function checkSchema(
  schema: JsonSchema,
  value: unknown,
  { everyError = false }: { readonly everyError?: boolean } = {},
): SchemaVerdict {
  const problem = problemIn(schema, "", 0);
  if (problem !== undefined) return { kind: "broken", problem };
  try {
    // A copy, because the validator marks the schema's objects, and these may be frozen or shared.
    const own = structuredClone(schema) as Schema;
    const { valid, errors } = withinTime(VALIDATION_MS, () => {
      return new Validator(own, draftOf(schema), !everyError).validate(value);
    });
    return valid ? { kind: "valid" } : { kind: "invalid", errors };
  } catch (error) {
    return { kind: "broken", problem: (error as Error).message.split("\n", 1)[0] ?? "it cannot be read" };
  }
}

/** Why a schema is unusable, as a sentence for its author; undefined: it is usable. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  const verdict = checkSchema(schema, {});
  return verdict.kind === "broken" ? verdict.problem : undefined;
}

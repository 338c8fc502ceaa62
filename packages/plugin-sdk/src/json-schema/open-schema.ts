/**
 * Makes a schema that a validator runs through safely of one that anybody wrote: no regular expression is executed, no
 * reference leaves the schema, and nothing in it makes the validator throw.
 */
import { dereference, type Schema } from "@cfworker/json-schema";
import type { JsonSchema } from "./check-schema.ts";

/** Levels of schemas within schemas that are validated; deeper ones accept everything. Arguments have 64 levels. */
const MAX_DEPTH = 64;
/** Schemas within a schema that are validated; those behind them accept everything. */
const MAX_SCHEMAS = 20_000;

/** Rounds after which no reference is followed. */
const MAX_ROUNDS = 16;

const TYPES: ReadonlySet<unknown> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): boolean => isNumber(value) && (value as number) >= 0;
const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name: unknown) => typeof name === "string");
const isMap = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What the value of a keyword that holds no schema must be; others would make a validator throw or reject at will. */
const VALUES: { readonly [keyword: string]: (value: unknown) => boolean } = {
  type: (value) => (Array.isArray(value) && value.length > 0 ? value : [value]).every((one) => TYPES.has(one)),
  const: () => true,
  enum: (value) => Array.isArray(value) && value.length > 0,
  required: isNames,
  dependentRequired: (value) => isMap(value) && Object.values(value).every(isNames),
  maximum: isNumber,
  minimum: isNumber,
  exclusiveMaximum: isNumber,
  exclusiveMinimum: isNumber,
  multipleOf: (value) => isNumber(value) && (value as number) > 0,
  maxLength: isCount,
  minLength: isCount,
  maxItems: isCount,
  minItems: isCount,
  maxContains: isCount,
  minContains: isCount,
  maxProperties: isCount,
  minProperties: isCount,
  uniqueItems: (value) => typeof value === "boolean",
  $anchor: (value) => typeof value === "string" && /^[A-Za-z_][\w.-]*$/.test(value),
};
const MAPS: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
const LISTS: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SCHEMAS: ReadonlySet<string> = new Set(
  ["items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties"].concat([
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
  ]),
);
/** Cannot be checked here: regular expressions of others, and references that depend on where evaluation came from. */
const UNCHECKED: ReadonlySet<string> = new Set([
  ...["pattern", "patternProperties", "$recursiveRef", "$recursiveAnchor", "$dynamicRef"],
]);
/** Says nothing of what fits, or would name the schema otherwise than its references are read here. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(["$id", "id", "$schema", "$vocabulary", "$comment", "format"]);
/** Beside something unchecked these could reject what the whole schema accepts. */
const NOT_MONOTONE: ReadonlySet<string> = new Set([
  ...["not", "if", "then", "else", "maxContains", "unevaluatedProperties", "unevaluatedItems"],
]);

/** A schema that accepts at least what the given one accepts. */
export interface OpenSchema {
  readonly schema: Schema | boolean;
  /** It holds everything that can reject; `format` is an annotation. */
  readonly isComplete: boolean;
  /** References to within the schema, or `uniqueItems`: validation can take far longer than its text is long. */
  readonly canMultiply: boolean;
}

class Opening {
  isComplete = true;
  canMultiply = false;
  readonly refs = new Set<string>();
  readonly #keepsRef: (ref: string) => boolean;
  readonly #leadTo: ReadonlySet<string>;
  #schemas = 0;

  /** `leadTo`: references, of which an unknown keyword may hold the targets. */
  constructor(keepsRef: (ref: string) => boolean, leadTo: ReadonlySet<string>) {
    this.#keepsRef = keepsRef;
    this.#leadTo = leadTo;
  }

  /** `isEmbedded`: within a resource of its own, where references start from another root. */
  open(schema: unknown, depth: number, isEmbedded: boolean): unknown {
    if (typeof schema === "boolean") return schema;
    this.#schemas += 1;
    if (!isMap(schema) || depth > MAX_DEPTH || this.#schemas > MAX_SCHEMAS) return this.#everything();
    const embedded = isEmbedded || (depth > 0 && ("$id" in schema || typeof schema.id === "string"));
    const kept: [string, unknown][] = [];
    for (const [key, value] of Object.entries(withoutDependencies(schema))) {
      const opened = this.#keyword(key, value, depth, embedded);
      if (opened !== undefined) kept.push([key, opened]);
    }
    const isOpen = "patternProperties" in schema;
    return Object.fromEntries(isOpen ? kept.filter(([key]) => key !== "additionalProperties") : kept);
  }

  /** What stays of a keyword; undefined: nothing. */
  #keyword(key: string, value: unknown, depth: number, embedded: boolean): unknown {
    if (Object.hasOwn(VALUES, key)) {
      if (!VALUES[key]!(value)) return this.#left();
      if (key === "uniqueItems" && value === true) this.canMultiply = true;
      return value;
    }
    if (key === "$ref") return this.#ref(value, embedded);
    if (UNCHECKED.has(key)) return this.#left();
    if (SAYS_NOTHING.has(key) || key.startsWith("__")) return undefined;
    const inner = (one: unknown): unknown => this.open(one, depth + 1, embedded);
    if (LISTS.has(key) || (key === "items" && Array.isArray(value))) {
      return Array.isArray(value) && value.length > 0 ? value.map(inner) : this.#left();
    }
    if (MAPS.has(key)) return isMap(value) ? mapped(value, inner) : this.#left();
    if (SCHEMAS.has(key)) return inner(value);
    return isMap(value) && [...this.#leadTo].some((ref) => `${ref}/`.includes(`/${key}/`)) ? inner(value) : undefined;
  }

  #ref(ref: unknown, embedded: boolean): unknown {
    if (typeof ref !== "string" || embedded || !this.#keepsRef(ref)) return this.#left();
    this.refs.add(ref);
    this.canMultiply = true;
    return ref;
  }

  #left(): undefined {
    this.isComplete = false;
    return undefined;
  }

  #everything(): true {
    this.isComplete = false;
    return true;
  }
}

function mapped(map: { readonly [key: string]: unknown }, of: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, of(value)]));
}

/** Draft-07's `dependencies` as the two keywords that followed it. */
function withoutDependencies(schema: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } {
  const { dependencies, ...rest } = schema;
  if (!isMap(dependencies)) return schema;
  const all = Object.entries(dependencies);
  const names = all.filter(([, one]) => isNames(one));
  const schemas = all.filter(([, one]) => !Array.isArray(one));
  return {
    ...{ dependentRequired: Object.fromEntries(names), dependentSchemas: Object.fromEntries(schemas) },
    ...rest,
  };
}

/** The references that lead somewhere within the schema. */
function resolved(schema: Schema, refs: ReadonlySet<string>): ReadonlySet<string> {
  try {
    const anchors = Object.fromEntries([...refs].map((ref, index) => [index, { $ref: ref }]));
    const probe = { ...structuredClone(schema), "probe of references": anchors } as Schema;
    const lookup = dereference(probe);
    const found = Object.entries(probe["probe of references"] as { [index: string]: Schema });
    return new Set(found.flatMap(([, one]) => (lookup[one.__absolute_ref__ ?? ""] === undefined ? [] : [one.$ref!])));
  } catch {
    return new Set();
  }
}

/** Without what could reject a value that the whole schema accepts, where part of it is left out. */
function loosened(schema: unknown): unknown {
  if (!isMap(schema)) return schema;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (NOT_MONOTONE.has(key) || key === "oneOf") continue;
    if (LISTS.has(key) || (key === "items" && Array.isArray(value)))
      kept.push([key, (value as unknown[]).map(loosened)]);
    else if (MAPS.has(key)) kept.push([key, mapped(value as { [key: string]: unknown }, loosened)]);
    else kept.push([key, Object.hasOwn(VALUES, key) ? value : loosened(value)]);
  }
  const { oneOf } = schema;
  if (!Array.isArray(oneOf)) return Object.fromEntries(kept);
  const any = { anyOf: oneOf.map(loosened) };
  const rest = Object.fromEntries(kept);
  return { ...rest, allOf: [...((rest.allOf as unknown[] | undefined) ?? []), any] };
}

/** `schema` is plain JSON. Never throws. */
export function openSchema(schema: JsonSchema): OpenSchema {
  let leadTo: ReadonlySet<string> = new Set();
  let known: ReadonlySet<string> | undefined;
  for (let round = 0; ; round++) {
    const within: ReadonlySet<string> | undefined = round < MAX_ROUNDS ? known : new Set();
    const opening: Opening = new Opening((ref) => within?.has(ref) ?? ref.startsWith("#"), leadTo);
    const opened = opening.open(schema, 0, false);
    const { isComplete, canMultiply, refs } = opening;
    const made = (isComplete ? opened : loosened(opened)) as Schema | boolean;
    // What references lead to may hold more of them.
    const isWhole = [...refs].every((ref) => leadTo.has(ref));
    if (isWhole && (refs.size === 0 || refs.size === known?.size)) return { schema: made, isComplete, canMultiply };
    if (isWhole) known = resolved(made as Schema, refs);
    leadTo = new Set([...leadTo, ...refs]);
  }
}

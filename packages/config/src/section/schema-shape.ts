import { type GenericSchema, getDefault } from "valibot";

/** The parts of a valibot schema that describe its structure; which of them exist depends on `type`. */
interface SchemaParts {
  readonly type: string;
  readonly entries?: { readonly [key: string]: GenericSchema };
  readonly wrapped?: GenericSchema;
  readonly item?: GenericSchema;
}

const parts = (schema: GenericSchema): SchemaParts => schema as unknown as SchemaParts;

const WRAPPERS: ReadonlySet<string> = new Set(["optional", "exact_optional", "undefinedable", "nullable", "nullish"]);

/** The schema inside `v.optional(...)` and similar wrappers. */
export function unwrap(schema: GenericSchema): GenericSchema {
  let inner = schema;
  for (let wrapped = parts(inner).wrapped; wrapped && WRAPPERS.has(parts(inner).type); wrapped = parts(inner).wrapped)
    inner = wrapped;
  return inner;
}

/** Whether a value may be left out. */
export function isOptional(schema: GenericSchema): boolean {
  return WRAPPERS.has(parts(schema).type);
}

/** The keys of an object schema, `undefined` for every other schema (a `v.record` is one value, not keys). */
export function objectEntries(schema: GenericSchema): { readonly [key: string]: GenericSchema } | undefined {
  return parts(unwrap(schema)).entries;
}

/** The item schema of a list of objects, `undefined` for every other schema. */
export function objectListItem(schema: GenericSchema): GenericSchema | undefined {
  const inner = parts(unwrap(schema));
  return inner.type === "array" && inner.item && objectEntries(inner.item) ? inner.item : undefined;
}

/** One key of a section: the dotted name, its schema and its default (`undefined`: unset). */
export interface SectionKey {
  readonly key: string;
  readonly schema: GenericSchema;
  readonly fallback: unknown;
}

/** The keys of an object schema in order, nested objects flattened to dotted names. */
export function keysOf(schema: GenericSchema, prefix = ""): SectionKey[] {
  return Object.entries(objectEntries(schema) ?? {}).flatMap(([name, entry]) =>
    objectEntries(entry)
      ? keysOf(entry, `${prefix}${name}.`)
      : [{ key: prefix + name, schema: entry, fallback: getDefault(entry) as unknown }],
  );
}

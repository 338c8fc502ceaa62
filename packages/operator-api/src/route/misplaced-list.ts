import type { GenericSchema } from "valibot";

/** The parts of a valibot schema that hold others. */
interface SchemaParts {
  readonly type: string;
  readonly entries?: { readonly [key: string]: GenericSchema };
  readonly wrapped?: GenericSchema;
  readonly item?: GenericSchema;
  readonly value?: GenericSchema;
}

const OBJECTS: ReadonlySet<string> = new Set(["object", "strict_object", "loose_object", "object_with_rest", "record"]);

/**
 * The path of a list where an object is expected; undefined where none does (O4). To valibot a list is an object, so
 * that one whose fields may all be left out would accept `[]`.
 */
export function misplacedList(schema: GenericSchema, value: unknown): readonly (string | number)[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { type, entries = {}, wrapped, item, value: held } = schema as unknown as SchemaParts;
  if (wrapped !== undefined) return misplacedList(wrapped, value);
  if (Array.isArray(value)) {
    if (OBJECTS.has(type)) return [];
    return item === undefined ? undefined : firstOf(value.map((one, index) => [index, item, one] as const));
  }
  if (type === "record" && held !== undefined)
    return firstOf(Object.entries(value).map(([key, one]) => [key, held, one] as const));
  return firstOf(
    Object.entries(entries).map(([key, inner]) => [key, inner, (value as { readonly [key: string]: unknown })[key]]),
  );
}

function firstOf(
  all: readonly (readonly [key: string | number, schema: GenericSchema, value: unknown])[],
): readonly (string | number)[] | undefined {
  for (const [key, schema, value] of all) {
    const inner = misplacedList(schema, value);
    if (inner !== undefined) return [key, ...inner];
  }
  return undefined;
}

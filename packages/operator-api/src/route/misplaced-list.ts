import type { GenericSchema } from "valibot";

/** The parts of a valibot schema that hold others. */
interface SchemaParts {
  readonly type: string;
  readonly entries?: { readonly [key: string]: GenericSchema };
  readonly wrapped?: GenericSchema;
  readonly item?: GenericSchema;
  readonly value?: GenericSchema;
  readonly options?: readonly unknown[];
}

/** Types of schemas that hold others: the only ones a list can be misplaced in. */
const HOLDERS: ReadonlySet<string> = new Set(["array", "union", "optional", "nullable", "nullish"]);
const OBJECTS: ReadonlySet<string> = new Set(["object", "strict_object", "loose_object", "object_with_rest", "record"]);

/**
 * The path of a list where an object is expected; undefined where none does (O4). To valibot a list is an object, so
 * that one whose fields may all be left out would accept `[]`.
 */
export function misplacedList(schema: GenericSchema, value: unknown): readonly (string | number)[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { type, entries = {}, wrapped, item, value: held, options } = schema as unknown as SchemaParts;
  if (wrapped !== undefined) return misplacedList(wrapped, value);
  if (type === "union" && options !== undefined) return misplacedInAll(options as readonly GenericSchema[], value);
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

/** Of a union: misplaced where none of its schemas that hold others takes the value. */
function misplacedInAll(options: readonly GenericSchema[], value: object): readonly (string | number)[] | undefined {
  const holders = options.filter(({ type }) => HOLDERS.has(type) || OBJECTS.has(type));
  const found = holders.map((option) => misplacedList(option, value));
  return found.every((path) => path !== undefined) ? found[0] : undefined;
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

/** Arguments that go along as headers of a request (revision 2026-07-28): a tool that declares them wrongly is not called. */

const KEYWORD = "x-mcp-header";
/** A field name of HTTP (RFC 9110, section 5.1). */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** Keywords whose members are schemas by names of any kind. */
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
/** Keywords whose value is no schema, whatever it looks like. */
const VALUES: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required", "type"]);

/** What is wrong with them in a schema; undefined: nothing. */
export function headerProblem(schema: unknown): string | undefined {
  const names = new Set<string>();
  return problemIn(schema, false, names);
}

/** `isProperty`: it is reached by names of properties alone, so its value is known before the request is made. */
function problemIn(schema: unknown, isProperty: boolean, names: Set<string>, isRoot = true): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  if (Array.isArray(schema)) return firstOf(schema.map((one) => () => problemIn(one, false, names, false)));
  const fields = Object.entries(schema);
  const own = Object.hasOwn(schema, KEYWORD) ? declared(schema as Declared, isProperty, names) : undefined;
  return (
    own ??
    firstOf(
      fields.map(([key, value]) => () => {
        if (VALUES.has(key) || typeof value !== "object" || value === null) return undefined;
        if (!MAPS.has(key)) return problemIn(value, false, names, false);
        const isReached = key === "properties" && (isRoot || isProperty);
        return firstOf(Object.values(value).map((one) => () => problemIn(one, isReached, names, false)));
      }),
    )
  );
}

interface Declared {
  readonly type?: unknown;
  readonly [KEYWORD]?: unknown;
}

function declared({ type, [KEYWORD]: name }: Declared, isProperty: boolean, names: Set<string>): string | undefined {
  if (!isProperty) return "declares a header where no property is";
  if (typeof name !== "string" || !FIELD_NAME.test(name)) return "declares a header whose name is none";
  if (!TYPES.has(type)) return "declares a header for what is no text, whole number or yes and no";
  const key = name.toLowerCase();
  if (names.has(key)) return "declares one header twice";
  names.add(key);
  return undefined;
}

function firstOf(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const problem = look();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

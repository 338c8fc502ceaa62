import { canonicalJson, type JsonObject, type JsonValue } from "../../json/index.ts";
import type { Definition } from "./definition.ts";

/** Keywords that say nothing about which values fit. */
const PROSE: ReadonlySet<string> = new Set(["title", "description", "$comment", "examples"]);
/** Keywords whose members are schemas by names of any kind. */
const MAPS: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"],
]);
/** Keywords whose value is no schema, whatever it looks like. */
const VALUES: ReadonlySet<string> = new Set(["const", "enum", "default", "required", "type", "dependentRequired"]);

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A schema without its prose: what of it decides about arguments. A property that is called `description` stays. */
export function withoutProse(schema: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(schema)) return schema.map((one: JsonValue) => withoutProse(one) ?? null);
  if (!isObject(schema)) return schema;
  const kept: { [key: string]: JsonValue | undefined } = Object.create(null) as object as JsonObject;
  for (const [key, value] of Object.entries(schema)) {
    if (PROSE.has(key)) continue;
    if (VALUES.has(key)) kept[key] = value;
    else if (MAPS.has(key) && isObject(value)) kept[key] = mapMembers(value);
    else kept[key] = withoutProse(value);
  }
  return kept;
}

function mapMembers(members: JsonObject): JsonObject {
  const kept: { [key: string]: JsonValue | undefined } = Object.create(null) as object as JsonObject;
  for (const [name, schema] of Object.entries(members)) kept[name] = withoutProse(schema);
  return kept;
}

/** Whether two definitions take the same arguments and return the same kind of result: only prose and hints differ. */
export function isSameForCallers(one: Definition, other: Definition): boolean {
  return callersView(one) === callersView(other);
}

function callersView(definition: Definition): string {
  if (definition.kind === "prompt")
    return canonicalJson(definition.arguments.map(({ name, required }) => ({ name, required })));
  const { inputSchema, outputSchema, taskSupport } = definition;
  return canonicalJson({
    ...{ input: withoutProse(inputSchema), output: withoutProse(outputSchema) },
    ...(taskSupport !== undefined && { taskSupport }),
  });
}

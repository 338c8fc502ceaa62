import type { JsonObject } from "./read-reference.ts";

/** One line of a schema as the page shows it: nested fields are further lines. */
export interface SchemaRow {
  /** Dotted path from the top; `[]` for a list's entries, `*` for any name. Blank: the whole. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** Description, bounds, choices and default, one sentence each. */
  readonly notes: readonly string[];
}

/** Maximum depth below the top. */
const MAX_DEPTH = 8;

/** A schema as lines, outer fields first. */
export function schemaRows(schema: JsonObject): readonly SchemaRow[] {
  const rows: SchemaRow[] = [];
  addRows(rows, schema, { name: "", required: true, depth: 0 });
  const [whole] = rows;
  // The row of the whole is needed only where it is not an object: fields describe an object.
  return rows.length > 1 && whole?.type === "object" && whole.notes.length === 0 ? rows.slice(1) : rows;
}

interface Parent {
  readonly name: string;
  readonly required: boolean;
  readonly depth: number;
}

function addRows(rows: SchemaRow[], schema: JsonObject, { name, required, depth }: Parent): void {
  rows.push({ name, type: typeOf(schema), required, notes: notesOf(schema) });
  if (depth >= MAX_DEPTH) return;
  const below = (step: string): string => (name === "" || step === "[]" ? `${name}${step}` : `${name}.${step}`);
  const must = Array.isArray(schema.required) ? (schema.required as readonly unknown[]) : [];
  for (const [key, field] of entriesOf(schema.properties)) {
    addRows(rows, field, { name: below(key), required: must.includes(key), depth: depth + 1 });
  }
  for (const [key, step] of [
    ["items", "[]"],
    ["additionalProperties", "*"],
  ] as const) {
    const inner = objectOf(schema[key]);
    if (inner !== undefined && hasDetails(inner))
      addRows(rows, inner, { name: below(step), required: false, depth: depth + 1 });
  }
  for (const choice of choicesOf(schema)) {
    for (const [key, field] of entriesOf(choice.properties)) {
      addRows(rows, field, { name: below(key), required: false, depth: depth + 1 });
    }
  }
}

/** Whether the entries of a list or map are worth lines of their own. */
function hasDetails(schema: JsonObject): boolean {
  return (
    ["properties", "items", "anyOf", "oneOf", "additionalProperties"].some(
      (key) => objectOf(schema[key]) !== undefined || Array.isArray(schema[key]),
    ) || notesOf(schema).length > 0
  );
}

function typeOf(schema: JsonObject): string {
  const { type, const: only, items } = schema;
  if (only !== undefined) return JSON.stringify(only);
  const choices = choicesOf(schema);
  // Choices of patterns or formats alone narrow a type that stands beside them.
  if (choices.length > 0 && (typeof type !== "string" || choices.some((one) => one.type !== undefined)))
    return [...new Set(choices.map(typeOf))].join(" or ");
  if (type === "array") return `list of ${typeOf(objectOf(items) ?? {})}`;
  if (Array.isArray(type)) return type.join(" or ");
  return typeof type === "string" ? type : "any";
}

function notesOf(schema: JsonObject): readonly string[] {
  const { description, enum: choices, default: fallback, pattern } = schema;
  const bounds = [
    ["minimum", "At least"],
    ["maximum", "At most"],
    ["minLength", "At least this many characters:"],
    ["maxLength", "At most this many characters:"],
    ["minItems", "At least this many:"],
    ["maxItems", "At most this many:"],
  ] as const;
  return [
    ...(typeof description === "string" ? [description] : []),
    ...(Array.isArray(choices) ? [`One of ${choices.map((one) => JSON.stringify(one)).join(", ")}.`] : []),
    ...bounds.flatMap(([key, label]) => (typeof schema[key] === "number" ? [`${label} ${schema[key]}.`] : [])),
    ...(typeof pattern === "string" ? [`Matches \`${pattern}\`.`] : []),
    ...(fallback === undefined ? [] : [`Default ${JSON.stringify(fallback)}.`]),
  ];
}

function choicesOf({ anyOf, oneOf }: JsonObject): readonly JsonObject[] {
  const choices: readonly unknown[] = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  return choices.map(objectOf).filter((one) => one !== undefined);
}

function entriesOf(value: unknown): readonly (readonly [string, JsonObject])[] {
  return Object.entries(objectOf(value) ?? {}).map(([key, field]) => [key, objectOf(field) ?? {}] as const);
}

function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

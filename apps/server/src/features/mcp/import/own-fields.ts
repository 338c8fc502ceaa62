/** Reads JSON that another program wrote, by own fields only and without trusting any shape. */

export interface JsonFields {
  readonly [key: string]: unknown;
}

export function fieldsOf(value: unknown): JsonFields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonFields) : undefined;
}

/** The first of these keys that is there and not null. */
export function field(from: JsonFields, ...keys: readonly string[]): unknown {
  for (const key of keys) if (Object.hasOwn(from, key) && from[key] !== null) return from[key];
  return undefined;
}

export function textField(from: JsonFields, ...keys: readonly string[]): string | undefined {
  const value = field(from, ...keys);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function listField(from: JsonFields, ...keys: readonly string[]): readonly unknown[] {
  const value = field(from, ...keys);
  return Array.isArray(value) ? value : [];
}

/** Texts, numbers and switches as texts; anything else is left out. */
export function plainText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

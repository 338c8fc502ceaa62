import { type JsonSchema, schemaProblem } from "@agent-service/plugin-sdk";

/** True for anything that has named members. */
export function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Why a step's schema is unusable, as a sentence for the model that wrote it; undefined: it is usable. A form's fields
 * are an object's, so a schema of another type is unusable too.
 */
export function formSchemaProblem(schema: JsonSchema): string | undefined {
  if (schema.type !== undefined && schema.type !== "object") return 'its type must be "object"';
  return schemaProblem(schema);
}

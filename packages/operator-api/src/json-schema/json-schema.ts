import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";

/** A JSON Schema, or an OpenAPI object around one. */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * A schema as OpenAPI 3.1 has it: JSON Schema 2020-12. Of a request (`input`) what is written, defaults optional and
 * transforms not yet done; of an answer (`output`) what is read. What JSON Schema cannot express is left open;
 * validation holds all the same.
 */
export function jsonSchemaOf(schema: GenericSchema, side: "input" | "output"): JsonObject {
  const { $schema: _, ...converted } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: side === "input" ? "input" : "ignore",
    errorMode: "ignore",
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      side === "output" && valibotSchema.type === "object" ? { ...jsonSchema, additionalProperties: false } : undefined,
  });
  return converted;
}

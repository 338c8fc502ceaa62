export { checkSchema, type JsonSchema, type SchemaError, type SchemaVerdict, schemaProblem } from "./check-schema.ts";
export { type JsonObject, jsonInput, jsonSchemaOf } from "./json-input.ts";

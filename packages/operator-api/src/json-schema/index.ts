export { type JsonObject, jsonSchemaOf } from "./json-schema.ts";

export { canonicalJson } from "./canonical-json.ts";
export type { JsonObject, JsonValue } from "./json-value.ts";
export type { JsonFailureCode, JsonLimits, ParsedJson } from "./parse-json.ts";
export { JSON_LIMITS, parseJson } from "./parse-json.ts";

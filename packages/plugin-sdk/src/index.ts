export * from "./json-schema/index.ts";
export * from "./settings/index.ts";
export * from "./tool/index.ts";
export * from "./verifier/index.ts";

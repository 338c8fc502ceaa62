export type { BuiltFeatures } from "./features.ts";
export { operatorRows } from "./operator-rows.ts";
export { runtimeService, type StatusParts } from "./runtime-status.ts";

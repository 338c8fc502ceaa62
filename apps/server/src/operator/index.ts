export type { BuiltFeatures } from "./features.ts";
export { type ModelsServiceParts, modelsService } from "./models-service.ts";
export { operatorRows } from "./operator-rows.ts";
export { runtimeService, type StatusParts } from "./runtime-status.ts";

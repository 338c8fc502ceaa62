export type { BuiltFeatures } from "./features.ts";
export { instanceUid } from "./instance-uid.ts";
export { type ModelsServiceParts, modelsService } from "./models-service.ts";
export { operatorRows } from "./operator-rows.ts";
export { refusalOf } from "./refusal-of.ts";
export { runtimeService, type StatusParts } from "./runtime-status.ts";
export { sessionsService } from "./sessions-service.ts";
export { steeringService } from "./steering-service.ts";
export { type ToolGroup, type ToolsServiceParts, toolsService } from "./tools-service.ts";

export type { InjectionService } from "./injection-routes.ts";
export { memory, memoryInjections, memoryInspector } from "./resource.ts";
export type { ForgetWhich, MemoryInspectorService, MemoryReceipt } from "./routes.ts";
export type { SessionMemoryService } from "./session-routes.ts";

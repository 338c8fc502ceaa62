export { memory, memoryInjections, memoryInspector } from "./resource.ts";
export type { ForgetWhich, MemoryInspectorService, MemoryReceipt } from "./routes.ts";
export type { SessionMemoryService } from "./session-routes.ts";

export { memory, memoryInspector } from "./resource.ts";
export type { ForgetWhich, MemoryInspectorService, MemoryReceipt } from "./routes.ts";

export { type RuntimeService, readRuntimeStatus, runtimeRoutes } from "./routes.ts";
export type { RuntimeStatus } from "./schema.ts";

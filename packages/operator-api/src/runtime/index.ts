export { runtime } from "./resource.ts";
export type { RuntimeService } from "./routes.ts";
export type { RuntimeStatus } from "./schema.ts";

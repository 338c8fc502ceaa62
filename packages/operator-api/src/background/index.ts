export { background } from "./resource.ts";
export type { BackgroundService, JobPosition } from "./routes.ts";
export type { JobRow } from "./schema.ts";

export { type BackgroundService, backgroundDefinitions, backgroundRoutes, type JobPlace } from "./routes.ts";
export type { JobRow } from "./schema.ts";

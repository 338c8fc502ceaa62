export { activity } from "./resource.ts";
export type { ActivityRow, ActivityService } from "./routes.ts";

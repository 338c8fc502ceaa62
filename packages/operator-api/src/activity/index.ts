export { type ActivityRow, type ActivityService, activityRoutes, listActivity } from "./routes.ts";

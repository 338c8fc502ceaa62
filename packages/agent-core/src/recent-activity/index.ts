export { recentActivity } from "./feature.ts";

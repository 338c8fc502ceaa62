export { ACTIVITY_CONTEXT, isActivity } from "./activity-context.ts";
export { type ActivityEntry, ActivityFeed } from "./activity-feed.ts";
export { activity } from "./feature.ts";
export { noteActivity } from "./note-activity.ts";

export { ACTIVITY_CONTEXT, isActivity } from "./activity-context.ts";
export { type ActivityEntry, ActivityFeed } from "./activity-feed.ts";
export { noteActivity } from "./note-activity.ts";
export { tellActivity } from "./tell-activity.ts";

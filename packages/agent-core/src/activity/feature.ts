import { defineFeature } from "../feature/index.ts";
import { ActivityFeed } from "./activity-feed.ts";
import { noteActivity } from "./note-activity.ts";

/** The activity feed: what the agent did by itself. */
export const activity = defineFeature({
  name: "activity",
  topics: ["activity.message"],
  open: ({ db, bus }) => new ActivityFeed({ db, bus }),
  accompany: (_feed, task, at) => noteActivity(task, at),
  onCommit: (feed, view, events) => feed.committed(view, events),
});

export {
  answerOf,
  callsLabel,
  costSoFar,
  type JournalRow,
  messageOf,
  type TaskRow,
  type TimelineSource,
  taskTitle,
  uniqueTasks,
} from "./journal.ts";
export { isOver } from "./load-timeline.ts";
export { fromLabel, originLabel } from "./origin-label.ts";
export { TaskTimeline } from "./task-timeline.tsx";
export { CutNote, Timeline } from "./timeline.tsx";
export { timelineOf } from "./timeline-data.ts";
export { useNow, useTaskTimeline } from "./use-task-timeline.ts";

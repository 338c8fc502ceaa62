export {
  costSoFar,
  type JournalRow,
  type TaskJournal,
  type TaskRow,
  type TimelineSource,
  taskTitle,
  toldText,
} from "./journal.ts";
export { isOver } from "./load-timeline.ts";
export type { Branch, Span, Step } from "./step.ts";
export { TaskTimeline } from "./task-timeline.tsx";
export { CutNote, Timeline, type TimelineProps } from "./timeline.tsx";
export { type TimelineData, timelineOf } from "./timeline-data.ts";
export { useNow, useTaskTimeline } from "./use-task-timeline.ts";

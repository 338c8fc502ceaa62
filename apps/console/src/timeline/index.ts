export type { JournalRow, TaskJournal, TaskRow, TimelineSource } from "./journal.ts";
export type { Branch, Span, Step } from "./step.ts";
export { CutNote, Timeline, type TimelineProps } from "./timeline.tsx";
export { type TimelineData, timelineOf } from "./timeline-data.ts";

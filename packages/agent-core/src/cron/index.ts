export type { CronPattern } from "./cron-pattern.ts";
export { parseCron } from "./cron-pattern.ts";
export type { DstNote } from "./dst-notes.ts";
export { dstNotes } from "./dst-notes.ts";
export type { Schedule, ScheduleRequest } from "./schedule.ts";
export { countSlots, latestSlot, nextSlot, parseSchedule } from "./schedule.ts";
export { ScheduleError } from "./schedule-error.ts";
export { wordsOf } from "./words.ts";
export { Zone, Zones } from "./zone.ts";

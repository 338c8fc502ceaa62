export type { RunOutcome } from "./attempt-end.ts";
export { type CalendarEntry, calendarOf, previewOf, type SchedulePreview } from "./calendar.ts";
export { type ScheduleFeatureOptions, schedule } from "./feature.ts";
export type { JobChange, NewJob } from "./job-request.ts";
export { OpenSchedules } from "./open-schedules.ts";
export type { RunElsewhere } from "./remote-runs.ts";
export { JobError, type JobErrorCode } from "./schedule-error.ts";
export {
  JOB_LIMITS,
  type JobPolicies,
  OVERLAPS,
  type ScheduledJob,
  SLOT_STATES,
  type SlotRun,
} from "./scheduled-job.ts";
export type { Schedules, ShownJob } from "./schedules.ts";

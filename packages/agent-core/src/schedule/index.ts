export type { RunOutcome } from "./attempt-end.ts";
export { type ScheduleFeatureOptions, schedule } from "./feature.ts";
export { OpenSchedules } from "./open-schedules.ts";
export type { RunElsewhere } from "./remote-runs.ts";
export { JobError, type JobErrorCode } from "./schedule-error.ts";
export type { ScheduledJob, SlotRun } from "./scheduled-job.ts";
export type { Schedules, ShownJob } from "./schedules.ts";

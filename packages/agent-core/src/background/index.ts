export { BackgroundError, type BackgroundErrorCode } from "./background-error.ts";
export {
  type BackgroundJob,
  isJobId,
  JOB_STATUSES,
  type JobRequest,
  type JobStatus,
  jobContext,
} from "./background-job.ts";
export { BackgroundJobs, type BackgroundOptions, type CanceledJob, MAX_OPEN } from "./background-jobs.ts";
export { type BackgroundSectionValue, backgroundSection } from "./background-section.ts";
export { background } from "./feature.ts";
export type { JobChange, LaunchedJob, LaunchJob } from "./job-driver.ts";
export type { JobFilter } from "./job-store.ts";

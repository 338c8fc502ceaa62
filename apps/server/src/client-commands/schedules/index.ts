export { addJob, cancelJob, editJob, pauseJob, resumeJob, runJob } from "./change-jobs.ts";
export { listJobs, previewJob, showCalendar, showJob, showRuns } from "./show-jobs.ts";

/** What a host uses of the parts that begin work without being asked each time. */
export {
  BackgroundError,
  type BackgroundJob,
  BackgroundJobs,
  backgroundSection,
} from "./background/index.ts";
export { boardOfIssues, type Issue, IssueBoard, IssueRuns } from "./board/index.ts";
export {
  batchText,
  type DelegationOutcome,
  Delegations,
  subagentsSection,
} from "./delegation/index.ts";
export {
  type Goal,
  type GoalDrives,
  GoalError,
  type GoalErrorCode,
  type GoalEvent,
  type Goals,
  goal,
  goalSection,
  phaseOf,
} from "./goal/index.ts";
export {
  JobError,
  type JobErrorCode,
  type OpenSchedules,
  type RunElsewhere,
  type RunOutcome,
  type ScheduledJob,
  type Schedules,
  type ShownJob,
  type SlotRun,
  schedule,
} from "./schedule/index.ts";
export { checks, type Verifiers, verification, withoutMarks } from "./verifier/index.ts";
export {
  type ShownWatch,
  type Watch,
  WatchError,
  type WatchErrorCode,
  type Watches,
  type WatchFire,
  watch,
  watchesSection,
} from "./watch/index.ts";

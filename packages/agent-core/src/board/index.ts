export { BoardError, type BoardErrorCode } from "./board-error.ts";
export { boardTools } from "./board-tools.ts";
export { board, boardOfIssues } from "./feature.ts";
export {
  ISSUE_LIMITS,
  ISSUE_STATUSES,
  ISSUE_TYPES,
  type Issue,
  type IssueChange,
  type IssueFilter,
  type IssueRun,
  type IssueStatus,
  type IssueType,
  issueNumber,
  type NewIssue,
} from "./issue.ts";
export { IssueBoard, type IssueBoardOptions } from "./issue-board.ts";
export { IssueRuns, type IssueRunsOptions, type StartedIssueRun } from "./issue-runs.ts";

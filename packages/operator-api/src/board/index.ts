export {
  type BoardService,
  boardRoutes,
  closeIssue,
  createIssue,
  editIssue,
  initBoard,
  listIssues,
  readBoardStatus,
  readIssue,
  removeIssue,
} from "./routes.ts";
export type { IssueRow } from "./schema.ts";

import type { Row } from "../database/index.ts";
import type { Issue, IssueStatus } from "./issue.ts";

export const OPEN_COLUMNS = "id, title, status, priority, session, run_session, outside";

/** What is shown of an open issue in a line. */
export type OpenIssue = Pick<Issue, "id" | "title" | "status" | "priority" | "session" | "outside"> & {
  /** The conversation of its turn; blank: it has none. */
  readonly runSession: string;
};

/** Of a row of `OPEN_COLUMNS`. */
export function openIssueOf([id, title, status, priority, session, runSession, outside]: Row): OpenIssue {
  return {
    id: `task-${String(id)}`,
    title: String(title),
    status: String(status) as IssueStatus,
    priority: Number(priority),
    session: String(session),
    runSession: String(runSession ?? ""),
    outside: Number(outside) === 1,
  };
}

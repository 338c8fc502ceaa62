/** Issues of the task board (B40). */

/** What an issue can be doing. Any may be set; `closed` is where it leaves the list of what is to be done. */
export const ISSUE_STATUSES = ["open", "in_progress", "blocked", "deferred", "closed"] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

export const ISSUE_TYPES = ["task", "bug", "feature", "chore", "epic"] as const;
export type IssueType = (typeof ISSUE_TYPES)[number];

/** Bounds of what an issue holds, in characters, and of the board, in issues (EN10). */
export const ISSUE_LIMITS = Object.freeze({
  title: 500,
  description: 20_000,
  assignee: 200,
  reason: 2_000,
  issues: 10_000,
});

/** The turn that the agent was given an issue in. */
export interface IssueRun {
  readonly task: string;
  /** Its conversation. */
  readonly session: string;
  /** False: it is named, and was not accepted yet. */
  readonly isStarted: boolean;
}

/** An issue. Times are epoch milliseconds. */
export interface Issue {
  /** `task-<n>`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly status: IssueStatus;
  /** 0, the most urgent, to 3. */
  readonly priority: number;
  readonly type: IssueType;
  /** Blank: unassigned. */
  readonly assignee: string;
  /** The conversation it was created in; blank for none. */
  readonly session: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt: number | undefined;
  /** Blank unless closed with a reason. */
  readonly closeReason: string;
  /** It was written in a conversation with content from outside (G29). */
  readonly outside: boolean;
  readonly run: IssueRun | undefined;
}

/** A new issue. Defaults: open, `task`, priority 2. */
export interface NewIssue {
  readonly title: string;
  readonly description?: string | undefined;
  readonly priority?: number | undefined;
  readonly type?: IssueType | undefined;
  readonly assignee?: string | undefined;
  readonly session?: string | undefined;
  /** It is written in a conversation with content from outside (G29). */
  readonly outside?: boolean | undefined;
}

/** Absent members stay as they are. */
export interface IssueChange {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: IssueStatus | undefined;
  readonly priority?: number | undefined;
  readonly type?: IssueType | undefined;
  readonly assignee?: string | undefined;
  /** Title or description are written in a conversation with content from outside (G29). */
  readonly outside?: boolean | undefined;
}

/** Which issues, newest first. */
export interface IssueFilter {
  readonly status?: IssueStatus | undefined;
  readonly type?: IssueType | undefined;
  readonly session?: string | undefined;
  /** The conversation of the turn that works on it. */
  readonly runSession?: string | undefined;
  /** Only those with a smaller number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

const ID = /^task-([1-9]\d{0,14})$/;

/** The number in an issue's id; undefined where it is none. */
export function issueNumber(id: string): number | undefined {
  const match = ID.exec(id);
  return match === null ? undefined : Number(match[1]);
}

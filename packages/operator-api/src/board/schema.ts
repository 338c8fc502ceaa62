import * as v from "valibot";
import { notBlank } from "../route/index.ts";
import { taskStateSchema } from "../task-state/index.ts";

/** What an issue can be doing. */
export const ISSUE_STATUSES = ["open", "in_progress", "blocked", "deferred", "closed"] as const;
export const ISSUE_TYPES = ["task", "bug", "feature", "chore", "epic"] as const;

/** An issue of the task board (B40). */
export const issueSchema = v.object({
  id: v.pipe(v.string(), v.description("`task-<n>`; never given twice.")),
  title: v.string(),
  description: v.string(),
  status: v.picklist(ISSUE_STATUSES),
  priority: v.pipe(v.number(), v.description("0, the most urgent, to 3.")),
  issue_type: v.picklist(ISSUE_TYPES),
  assignee: v.pipe(v.string(), v.description("Blank: unassigned.")),
  session_id: v.pipe(v.nullable(v.string()), v.description("The conversation it was created in.")),
  created_at: v.string(),
  updated_at: v.string(),
  closed_at: v.nullable(v.string()),
  close_reason: v.nullable(v.string()),
  run: v.pipe(
    v.nullable(v.object({ task_id: v.string(), session_id: v.string(), state: taskStateSchema })),
    v.description("The last turn that the agent was given it in; null where there was none, or it was deleted."),
  ),
});

/** An issue on the wire. */
export type IssueRow = v.InferInput<typeof issueSchema>;

const text = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most));
const title = notBlank(500, "An issue has a title.");
const priority = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3));
const status = v.picklist(ISSUE_STATUSES, "Expected open, in_progress, blocked, deferred or closed.");
const type = v.picklist(ISSUE_TYPES, "Expected task, bug, feature, chore or epic.");

const ignored = {
  project_path: v.optional(v.pipe(v.unknown(), v.description("Ignored: there is one board."))),
};

/** The body of a new issue. An unknown type is refused (O4). */
export const newIssueSchema = v.object({
  title,
  description: v.optional(text(20_000)),
  priority: v.optional(priority, 2),
  type: v.optional(type, "task"),
  assignee: v.optional(text(200)),
  ...ignored,
});

/** Changes of an issue; absent members stay as they are. */
export const issueChangeSchema = v.object({
  title: v.optional(title),
  description: v.optional(text(20_000)),
  status: v.optional(status),
  priority: v.optional(priority),
  type: v.optional(type),
  assignee: v.optional(v.pipe(text(200), v.description("Blank: unassigned."))),
  ...ignored,
});

/** Which issues are listed. */
export const issueFilterEntries = {
  status: v.optional(status),
  type: v.optional(type),
  session_id: v.optional(v.pipe(v.string(), v.maxLength(200))),
  run_session_id: v.optional(
    v.pipe(v.string(), v.maxLength(200), v.description("The conversation of the turn that the agent was given it in.")),
  ),
};

export const closeSchema = v.object({ reason: v.optional(text(2_000)), ...ignored });

/** What the board is begun with. */
export const initSchema = v.object({
  prefix: v.optional(v.pipe(text(40), v.description("Ignored: ids begin with `task-`."))),
  ...ignored,
});

/** The agent's side of the task board (B86). */
import { type AnyTool, defineTool, type ToolContext } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { ISSUE_LIMITS, ISSUE_STATUSES, ISSUE_TYPES, type Issue } from "./issue.ts";
import type { IssueBoard } from "./issue-board.ts";

type Board = Pick<IssueBoard, "create" | "update" | "close" | "list" | "toDo">;

/** Issues that one call lists, and characters of each that it shows. */
const LISTED = 100;

const text = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most));
const title = v.pipe(text(ISSUE_LIMITS.title), v.nonEmpty("an issue has a title"));
const type = v.picklist(ISSUE_TYPES);
const id = v.pipe(text(40), v.description("For example task-7."));

/** What the board holds is not for peers (A16). */
const OF_THE_BOARD = { availableTo: ["lead", "subagents"], content: "own" } as const;

/** `task_create`, `task_list`, `task_update`, `task_close`. */
export function boardTools(board: Board): readonly AnyTool[] {
  return [taskCreate(board), taskList(board), taskUpdate(board), taskClose(board)];
}

function taskCreate(board: Board): AnyTool {
  return defineTool({
    name: "task_create",
    description:
      "Put an issue on the task board: work that should not be forgotten and is not done in this turn. Returns its id.",
    input: v.object({
      title,
      description: v.optional(text(ISSUE_LIMITS.description), ""),
      priority: v.optional(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3), v.description("0, the most urgent, to 3.")),
        2,
      ),
      issue_type: v.optional(type, "task"),
    }),
    effect: "idempotent",
    oncePerCall: true,
    ...OF_THE_BOARD,
    present: {
      asks: "Put this on the board: {title}?",
      doing: "Adding to the board: {title}",
      done: "Added {result.id}[: {title}]",
    },
    async run({ issue_type, ...issue }, context) {
      const { callId, contextId } = context;
      const { tainted: outside } = context.caller;
      const created = await board.create({ ...issue, type: issue_type, session: contextId, outside }, callId);
      return shown(created, context);
    },
  });
}

function taskList(board: Board): AnyTool {
  return defineTool({
    name: "task_list",
    description: "List the issues of the task board that are to be done, the most urgent first.",
    input: v.object({
      include_closed: v.optional(v.pipe(v.boolean(), v.description("Also closed ones; the newest first then.")), false),
    }),
    effect: "pure",
    ...OF_THE_BOARD,
    present: { asks: "List the board?", doing: "Reading the board", done: "Read the board" },
    async run({ include_closed }, context) {
      const issues = include_closed ? await board.list({ limit: LISTED + 1 }) : await board.toDo(LISTED + 1);
      if (issues.length === 0) return "The task board is empty.";
      if (issues.slice(0, LISTED).some(({ outside }) => outside)) context.fromOutside();
      const lines = issues.slice(0, LISTED).map(lineOf);
      return [...lines, ...(issues.length > LISTED ? [`Only the first ${LISTED} are shown.`] : [])].join("\n");
    },
  });
}

function taskUpdate(board: Board): AnyTool {
  return defineTool({
    name: "task_update",
    description: "Change an issue of the task board. What is left out stays as it is.",
    input: v.object({
      issue_id: id,
      status: v.optional(v.picklist(["", ...ISSUE_STATUSES]), ""),
      title: v.optional(text(ISSUE_LIMITS.title), ""),
      description: v.optional(text(ISSUE_LIMITS.description), ""),
      priority: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(-1),
          v.maxValue(3),
          v.description("0, the most urgent, to 3; -1 stays."),
        ),
        -1,
      ),
      issue_type: v.optional(v.picklist(["", ...ISSUE_TYPES]), ""),
    }),
    effect: "idempotent",
    ...OF_THE_BOARD,
    present: { asks: "Change {issue_id}?", doing: "Changing {issue_id}", done: "Changed {issue_id}[ to {status}]" },
    async run({ issue_id, status, title, description, priority, issue_type }, context) {
      const { callId, caller } = context;
      const change = {
        outside: caller.tainted,
        status: status || undefined,
        title: title || undefined,
        description: description || undefined,
        priority: priority < 0 ? undefined : priority,
        type: issue_type || undefined,
      };
      return shown(await board.update(issue_id, change, callId), context);
    },
  });
}

function taskClose(board: Board): AnyTool {
  return defineTool({
    name: "task_close",
    description: "Close an issue of the task board that is done, or will not be done; say why.",
    input: v.object({ issue_id: id, reason: v.optional(text(ISSUE_LIMITS.reason), "") }),
    effect: "idempotent",
    ...OF_THE_BOARD,
    present: { asks: "Close {issue_id}?", doing: "Closing {issue_id}", done: "Closed {issue_id}[: {reason}]" },
    run: async ({ issue_id, reason }, context) =>
      shown(await board.close(issue_id, reason === "" ? undefined : reason, context.callId), context),
  });
}

/** What was written beside content from outside is content from outside, wherever it is read (G29). */
function shown({ id, title, status, priority, type, outside }: Issue, context: ToolContext): object {
  if (outside) context.fromOutside();
  return { id, title, status, priority, type };
}

function lineOf({ id, title, status, priority, type, assignee, description }: Issue): string {
  const whose = assignee === "" ? "" : `, ${assignee}`;
  const more = description === "" ? "" : `: ${description.slice(0, 200).replaceAll(/\s+/g, " ")}`;
  return `${id} [${status}, priority ${priority}, ${type}${whose}] ${title}${more}`;
}

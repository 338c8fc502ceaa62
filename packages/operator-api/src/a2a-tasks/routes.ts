import type {
  TaskCursor,
  TaskFilter,
  TaskOrigin,
  TaskState,
  TaskView,
  Timeline,
  TimelineRange,
} from "@agent-service/agent-core/host";
import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, json, type ServedRoute, serve, timeQuery } from "../route/index.ts";
import { TASK_ORIGINS } from "../task-origins/index.ts";
import { a2aStateOf, type taskStateSchema } from "../task-state/index.ts";
import { journalRowOf } from "./journal-row.ts";
import { journalRowSchema } from "./journal-row-schema.ts";
import { childSchema, taskRowOf, taskRowSchema } from "./schema.ts";

const tag = "Tasks";
const STATES = ["working", "input-required", "completed", "failed", "canceled"] as const;

type A2AState = v.InferOutput<typeof taskStateSchema>;

/** Children of a task in an answer. */
const MAX_CHILDREN = 200;

/** The engine's states behind each state of A2A (A5). */
const STATES_OF: { readonly [TState in A2AState]: NonNullable<TaskFilter["states"]> } = {
  working: ["queued", "running"],
  "input-required": ["parked"],
  completed: ["completed"],
  failed: ["failed"],
  canceled: ["canceled"],
};

const name = (description: string) => v.optional(v.pipe(v.string(), v.maxLength(512), v.description(description)));

export const listTasks = defineRoute({
  name: "a2a_tasks.list",
  method: "GET",
  path: "/api/a2a/tasks",
  tag,
  summary: "Tasks of every surface, the last change of state first",
  description: `A task is one turn, wherever it came from: A2A, chat, a job, a subagent. A filter that few tasks fit yields short
pages; the list continues while there is a cursor.`,
  query: v.object({
    ...pageQuery(v.object({ time: v.number(), id: v.string() })).entries,
    state: v.optional(v.picklist(STATES)),
    origin: v.optional(
      v.pipe(
        v.picklist(TASK_ORIGINS),
        v.description(
          "Absent: all but `auxiliary`, what the service asks a model for itself, such as titles of chats.",
        ),
      ),
    ),
    session_id: name("Of this session, on every surface of its class."),
    class: v.optional(v.picklist(["operator", "federation"])),
    since: timeQuery("Whose state changed then or later."),
    until: timeQuery("Whose state changed before it."),
    model: name(
      `Which this model answered, the last one where several did, by its name in telemetry: tasks of the last 90 days that
ended or wait, with what they delegated counted as theirs. A page looks at 10,000 tasks at most.`,
    ),
    tool: name("Which called this tool, by its name in telemetry; as for `model`."),
    search: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(1_000),
        v.description(
          `Words that all stand in what was asked or answered, as parts of words too, whatever their case and accents: in the
first 4,096 characters of each. A page looks at 2,000 tasks at most; incognito ones are never found.`,
        ),
      ),
    ),
  }),
  reply: json(v.object({ tasks: v.array(taskRowSchema), ...pageFields })),
  failures: { 409: "Telemetry is off, which knows the model and the tools of a run." },
});

export const readJournal = defineRoute({
  name: "a2a_tasks.journal",
  method: "GET",
  path: "/api/a2a/tasks/{id}/journal",
  tag,
  summary: "What happened in a task, event by event",
  description: `Model calls with tokens and time, tool calls with arguments and results, waits for people, changes of state.
Follow \`GET /api/events\`, or A2A's \`tasks/resubscribe\`, for what comes.`,
  query: v.object({
    ...pageQuery(v.number(), { defaultLimit: 100 }).entries,
    order: v.optional(
      v.pipe(v.picklist(["newest", "oldest"]), v.description("What comes first. A cursor belongs to its order.")),
      "newest",
    ),
  }),
  reply: json(
    v.object({
      task: taskRowSchema,
      children: v.pipe(
        v.array(childSchema),
        v.description("Tasks that its calls started, oldest first, on every page: 200 at most."),
      ),
      events: v.array(journalRowSchema),
      ...pageFields,
    }),
  ),
  failures: { 404: "There is no such task." },
});

/** A task and what happened in it. */
export interface TaskJournal extends Timeline {
  readonly task: Readonly<TaskView>;
  /** Tasks that its calls started, oldest first. */
  readonly children: readonly { readonly id: string; readonly origin: TaskOrigin; readonly state: TaskState }[];
}

/** Absent fields match all tasks. */
export interface RunFilter extends TaskFilter {
  readonly search?: string;
  /** The model that answered last. */
  readonly model?: string;
  /** A tool that was called. */
  readonly tool?: string;
}

/** Implemented by the service. */
export interface A2ATasksService {
  /** @throws Problem 409 for a model or a tool where telemetry is off */
  list(
    filter: RunFilter,
    page: { readonly limit: number; readonly after?: TaskCursor },
  ): Promise<{ readonly tasks: readonly Readonly<TaskView>[]; readonly next?: TaskCursor }>;
  /** Undefined: there is no such task. */
  journal(id: string, range: TimelineRange): Promise<TaskJournal | undefined>;
  /** The value with its secrets taken out (S5). */
  redacted<T>(value: T): T;
}

export function a2aTasksRoutes(tasks: A2ATasksService): readonly ServedRoute[] {
  return [
    serve(listTasks, async ({ query: { limit, cursor, ...query } }) => {
      const { state, origin, session_id, class: caller, since, until, search, model, tool } = query;
      const filter = {
        ...(state && { states: STATES_OF[state] }),
        ...(origin && { origin }),
        ...(session_id !== undefined && { context: session_id }),
        ...(caller && { class: caller }),
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
        ...(search?.trim() && { search }),
        ...(model && { model }),
        ...(tool && { tool }),
      };
      const page = await tasks.list(filter, { limit, ...(cursor && { after: cursor }) });
      return { tasks: tasks.redacted(page.tasks.map(taskRowOf)), next_cursor: cursorOf(page.next) };
    }),
    serve(readJournal, async ({ params: { id }, query: { limit, cursor, order } }) => {
      const found = await tasks.journal(id, { limit, order, from: cursor });
      if (found === undefined) throw new Problem(404, "There is no such task.");
      const events = found.events.map((one) =>
        journalRowOf(one, "call" in one.event ? found.calls.get(one.event.call) : undefined),
      );
      return {
        task: tasks.redacted(taskRowOf(found.task)),
        children: found.children.slice(0, MAX_CHILDREN).map(({ id: task_id, origin, state }) => ({
          ...{ task_id, origin, state: a2aStateOf(state) },
        })),
        events: tasks.redacted(events),
        next_cursor: cursorOf(found.next),
      };
    }),
  ];
}

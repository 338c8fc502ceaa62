import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";
import { taskStateSchema } from "../task-state/index.ts";

/** A turn that started by itself, or in the activity conversation (B39). */
export const activityEntrySchema = v.object({
  id: v.string(),
  created_at: v.string(),
  context_id: v.string(),
  origin: v.pipe(
    v.string(),
    v.description("`scheduler`, `watch`, `inbox`, `webhook`, `a2a`, `operator`, `background` or `goal`."),
  ),
  trigger: v.pipe(v.nullable(v.string()), v.description("What started it, for example `inbox:12`.")),
  priority: v.nullable(v.string()),
  state: taskStateSchema,
  text: v.pipe(v.string(), v.description("Its outcome, or why it failed; the first 4,000 characters.")),
  task_id: v.string(),
  stimulus: v.pipe(v.string(), v.description("Its input; the first 2,000 characters.")),
});

/** An entry on the wire. */
export type ActivityRow = v.InferInput<typeof activityEntrySchema>;

export const listActivity = defineRoute({
  name: "activity.list",
  method: "GET",
  path: "/api/activity",
  tag: "Activity",
  summary: "What the agent did by itself and why, newest first",
  query: pageQuery(v.string(), { defaultLimit: 100, maxLimit: 100 }),
  reply: json(
    v.object({
      context_id: v.pipe(v.string(), v.description("The activity conversation.")),
      entries: v.array(activityEntrySchema),
      messages: v.pipe(
        v.array(v.object({ role: v.picklist(["user", "assistant"]), content: v.string() })),
        v.description("The entries of the activity conversation as messages, oldest first."),
      ),
      ...pageFields,
    }),
  ),
});

/** Implemented by the service. */
export interface ActivityService {
  /** The activity conversation's id. */
  readonly contextId: string;
  /** Newest first. `before`: the last entry of the page before. */
  list(limit: number, before: string | undefined): Promise<readonly Frozen<ActivityRow>[]>;
}

export function activityRoutes(activity: ActivityService): readonly ServedRoute[] {
  return [
    serve(listActivity, async ({ query: { limit, cursor } }) => {
      const found = await activity.list(limit + 1, cursor);
      const entries = found.slice(0, limit);
      const conversation = entries.filter(({ context_id }) => context_id === activity.contextId).toReversed();
      const messages = conversation.flatMap(({ stimulus, text }) => [
        { role: "user" as const, content: stimulus },
        ...(text === "" ? [] : [{ role: "assistant" as const, content: text }]),
      ]);
      const last = found.length > limit ? entries.at(-1)?.id : undefined;
      return { context_id: activity.contextId, entries, messages, next_cursor: cursorOf(last) };
    }),
  ];
}

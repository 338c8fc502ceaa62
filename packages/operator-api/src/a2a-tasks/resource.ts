import { defineResource } from "../resource/index.ts";
import { a2aTasksRoutes, listTasks, readJournal } from "./routes.ts";

/** Of every topic of a turn. */
const turn = "`task_id`, `session_id`, `class`, `origin`, `state`, of a subagent `parent_task_id`";

/** Everything the agent does and did, by task. */
export const a2aTasks = defineResource({
  name: "a2aTasks",
  definitions: [listTasks, readJournal],
  topics: [
    { topic: "turn.queued", when: "A turn was accepted and waits for the one before it", data: turn },
    { topic: "turn.started", when: "A turn began to run", data: turn },
    {
      topic: "turn.progress",
      when: "A turn's tool call began, said how far it is, or ended, or its model call ended",
      data: "`task_id`, `session_id`, `phase`; of `tool_start`, `tool_progress` and `tool_end` `tool`, `tool_call_id`, of progress `text` (at most one in 250 ms of each call), at the end `outcome` and `ms`; of `model_end` `model`, the turn's `input_tokens` and `output_tokens` so far, and `context_tokens` (what this call was given; null where the server does not tell)",
    },
    {
      topic: "turn.input_required",
      when: "A turn waits for a person",
      data: `${turn}, \`prompt_id\`, \`reason\``,
    },
    { topic: "turn.resumed", when: "A turn that waited for a person continues", data: turn },
    {
      topic: "turn.finished",
      when: "A turn ended",
      data: `${turn}, \`ok\`, \`input_tokens\`, \`output_tokens\`, \`cost_usd\`, \`duration_ms\`, of a failed one \`code\``,
    },
  ],
  routes: a2aTasksRoutes,
});

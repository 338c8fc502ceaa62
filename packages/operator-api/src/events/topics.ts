/** What a topic of `GET /api/events` tells, for people and for the document. */
export interface EventTopic {
  readonly topic: string;
  /** When it comes. */
  readonly when: string;
  /** Members of its data. */
  readonly data: string;
}

const turn = "`task_id`, `session_id`, `class`, `origin`, `state`, of a subagent `parent_task_id`";

const prompt = "`id`, `task_id`, `session_id`";
const timer = "`id`, `kind`, `session_id`, `due_at`";
const job = "`job_id`, `status`, `subagent_type`, `description`, `origin_session`, `task_id`";

/** The topics of the service itself (ruling O7). Whoever publishes another one adds it here. */
export const EVENT_TOPICS: readonly EventTopic[] = [
  {
    topic: "stream.gap",
    when: "What lay between your cursor and now is not kept any more: read again what you show",
    data: "`reason`: `restarted`, `expired` or `unknown`",
  },
  {
    topic: "session.changed",
    when: "A session is new, has another turn or title, or is gone, and lists tell it",
    data: "`session_id`",
  },
  { topic: "background.started", when: "A background job's task began", data: job },
  {
    topic: "background.completed",
    when: "A background job ended, whatever its status",
    data: `${job}, \`result\` (2,000 characters at most)`,
  },
  {
    topic: "background.changed",
    when: "A background job is new, has begun, ended, been told or deleted; or jobs were cleared from the list",
    data: `${job}; after a clear \`origin_session\` (null: all) and \`cleared\``,
  },
  { topic: "steer.changed", when: "What waits to steer a session changed", data: "`session_id`, `pending`" },
  { topic: "turn.queued", when: "A turn was accepted and waits for the one before it", data: turn },
  { topic: "turn.started", when: "A turn began to run", data: turn },
  {
    topic: "turn.progress",
    when: "A turn's tool call began or ended, or its model call ended",
    data: "`task_id`, `session_id`, `phase`; of `tool_start` and `tool_end` `tool`, `tool_call_id`, at the end `outcome` and `ms`; of `model_end` `model`, the turn's `input_tokens` and `output_tokens` so far, and `context_tokens` (what this call was given; null where the server does not tell)",
  },
  {
    topic: "turn.input_required",
    when: "A turn waits for a person",
    data: `${turn}, \`prompt_id\`, \`reason\``,
  },
  { topic: "turn.resumed", when: "A turn that waited for a person goes on", data: turn },
  {
    topic: "turn.finished",
    when: "A turn ended",
    data: `${turn}, \`ok\`, \`input_tokens\`, \`output_tokens\`, \`cost_usd\`, \`duration_ms\`, of a failed one \`code\``,
  },
  {
    topic: "approval.requested",
    when: "A person is asked, by a turn of any surface and depth",
    data: `${prompt}, \`kind\`, \`origin\``,
  },
  { topic: "approval.answered", when: "A prompt was answered", data: prompt },
  { topic: "approval.withdrawn", when: "A prompt is not asked any more", data: prompt },
  { topic: "approval.granted", when: "An answer was remembered for the next time", data: "`id`, `tool`" },
  { topic: "approval.revoked", when: "A remembered answer was taken back", data: "`id`" },
  {
    topic: "delegation.changed",
    when: "A subagent began or ended what it was given",
    data: "`id`, `session_id`, `task_id` (its own), `parent`, `subagent_type`, `label`, `state`",
  },
  { topic: "board.changed", when: "An issue was created, updated, closed or deleted", data: "`id`, `action`" },
  { topic: "task.changed", when: "As `board.changed`", data: "`id`, `action`" },
  { topic: "inbox.item", when: "An item came into the inbox and waits there", data: "as `inbox.added`" },
  {
    topic: "inbox.added",
    when: "An item came into the inbox",
    data: "`id`, `origin`, `priority`, `state` (`waiting`), `source`, `text`",
  },
  {
    topic: "inbox.delivered",
    when: "The agent took an item, or is started with it",
    data: "as `inbox.added`, `state` `delivered`, and `task_id` or `call`",
  },
  {
    topic: "activity.message",
    when: "A turn of the activity feed was told something, waits for a person, or ended",
    data: "`id`, `task_id`, `context_id`, `origin`, `trigger`, `priority`, `state`, `role`, `text`, `error`",
  },
  { topic: "timer.set", when: "A durable timer was set, such as that of `wait`", data: timer },
  { topic: "timer.canceled", when: "A timer was taken back", data: timer },
  { topic: "timer.fired", when: "A timer's time came", data: timer },
  {
    topic: "model.fallback",
    when: "A turn went on with another model",
    data: "`task_id`, `session_id`, `from`, `to`, `code`",
  },
  {
    topic: "config.changed",
    when: "Settings or the persona took effect, or settings that were refused are mended",
    data: "`keys`; `soul` for the persona; none where what ran is what counts again",
  },
  { topic: "config.rejected", when: "Edited settings were refused; what ran runs on", data: "`reason`" },
  { topic: "model.changed", when: "The lead model or a connection is another one", data: "`keys`" },
  { topic: "theme.changed", when: "The console's theme was set or cleared", data: "none" },
  {
    topic: "log.written",
    when: "The log has lines that `GET /api/diagnostics/logs` did not tell yet; once after each reading of it",
    data: "none",
  },
  { topic: "webhook.failed", when: "A webhook was given up", data: "`task_id`, `config_id`, `host`" },
  { topic: "webhook.recovered", when: "A webhook arrived at a host where the one before was given up", data: "`host`" },
];

/** The topics as the document shows them. */
export function topicTable(topics: readonly EventTopic[] = EVENT_TOPICS): string {
  const rows = topics.map(({ topic, when, data }) => `| \`${topic}\` | ${when} | ${data} |`);
  return ["| Topic | When | Data |", "|---|---|---|", ...rows].join("\n");
}

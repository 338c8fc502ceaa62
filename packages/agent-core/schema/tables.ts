/**
 * The spine's tables for drizzle. `migrations/0001_spine.sql` creates them; a test holds the two against each other.
 * Times are epoch milliseconds.
 */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * One row per task; `seq` is the number of its last event, `updated_at` the time of its last change of state, `options`
 * the `TaskOptions` as JSON, `parent` the task whose call started it.
 */
export const taskTable = sqliteTable("task", {
  id: text().primaryKey(),
  class: text().notNull(),
  context: text().notNull(),
  origin: text().notNull(),
  state: text().notNull(),
  seq: integer().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  options: text().notNull(),
  parent: text(),
});

/** The journal: `body` is the `TaskEvent` as JSON. */
export const eventTable = sqliteTable(
  "event",
  {
    task: text().notNull(),
    seq: integer().notNull(),
    at: integer().notNull(),
    kind: text().notNull(),
    body: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.task, t.seq] })],
);

/**
 * The conversation of a context, append-only (EN7). `kind`: user, note, assistant or compaction; tool results live in
 * `call`. A compaction's body names the messages before it that are still shown, and `from`, the oldest of them.
 */
export const messageTable = sqliteTable("message", {
  id: integer().primaryKey(),
  class: text().notNull(),
  context: text().notNull(),
  task: text().notNull(),
  kind: text().notNull(),
  body: text().notNull(),
  at: integer().notNull(),
});

/** One row per tool call that was started or decided; `outcome` is null while it is open (EN5). `parent`: the call that made it (SC1). */
export const callTable = sqliteTable("call", {
  id: text().primaryKey(),
  class: text().notNull(),
  context: text().notNull(),
  task: text().notNull(),
  name: text().notNull(),
  args: text().notNull(),
  digest: text().notNull(),
  outcome: text(),
  result: text(),
  startedAt: integer("started_at").notNull(),
  endedAt: integer("ended_at"),
  parent: text(),
  note: text(),
});

/** Questions to a person. `reason`: a `PromptReason`; `state`: pending, answered or expired; `answer`: a `ParkAnswer` as JSON. */
export const promptTable = sqliteTable("prompt", {
  id: text().primaryKey(),
  task: text().notNull(),
  call: text().notNull(),
  class: text().notNull(),
  context: text().notNull(),
  reason: text().notNull(),
  payload: text().notNull(),
  digest: text().notNull(),
  state: text().notNull(),
  answer: text(),
  createdAt: integer("created_at").notNull(),
  answeredAt: integer("answered_at"),
});

/** Steering that no model call has read yet; a row is deleted in the commit of the call that reads it (R8). */
export const steeringTable = sqliteTable("steering", {
  id: text().primaryKey(),
  class: text().notNull(),
  context: text().notNull(),
  task: text(),
  body: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

/** Idempotency keys and the request they belong to (A15). */
export const idempotencyTable = sqliteTable(
  "idempotency",
  {
    class: text().notNull(),
    key: text().notNull(),
    digest: text().notNull(),
    task: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.class, t.key] })],
);

/**
 * Webhooks (W1, W2). `class` is its registrant's, `version` that of the registration. `cursor` is the event
 * up to which it was notified; `target` the one being sent and `step` how far that got; `failures` and `next_at` its
 * retries. `settled_at` is null until the task's end was sent.
 */
export const pushConfigTable = sqliteTable(
  "push_config",
  {
    task: text().notNull(),
    class: text().notNull(),
    id: text().notNull(),
    context: text().notNull(),
    version: text().notNull(),
    url: text().notNull(),
    token: text(),
    scheme: text(),
    credentials: text(),
    createdAt: integer("created_at").notNull(),
    cursor: integer().notNull(),
    target: integer().notNull(),
    step: integer().notNull(),
    failures: integer().notNull(),
    nextAt: integer("next_at").notNull(),
    settledAt: integer("settled_at"),
  },
  (t) => [primaryKey({ columns: [t.task, t.class, t.id] })],
);

/** Answers kept under an idempotency key (A15). No `status`: begun; no `headers`: carried out, not kept. */
export const keptAnswerTable = sqliteTable(
  "kept_answer",
  {
    class: text().notNull(),
    key: text().notNull(),
    digest: text().notNull(),
    status: integer(),
    headers: text(),
    body: text(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.class, t.key] })],
);

/** One row: the store's own name. */
export const instanceTable = sqliteTable("instance", {
  id: integer().primaryKey(),
  uid: text().notNull(),
});

/** Up to which commit of the journal each reader that writes here has written; see `src/projection`. */
export const readerCursorTable = sqliteTable("reader_cursor", {
  reader: text().primaryKey(),
  at: integer().notNull(),
});

/** Conversations of the operator class; see `src/session`. `state`: of the task that changed last. */
export const sessionTable = sqliteTable("session", {
  no: integer().primaryKey(),
  id: text().notNull(),
  title: text(),
  opening: text().notNull(),
  origin: text().notNull(),
  turns: integer().notNull(),
  state: text().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  pinnedAt: integer("pinned_at"),
  headline: text(),
  titling: text(),
  versionOf: text("version_of"),
});

/** Their turns; `no` is also the row of the search index `session_text`. */
export const sessionTurnTable = sqliteTable("session_turn", {
  no: integer().primaryKey(),
  session: integer().notNull(),
  task: text().notNull(),
  origin: text().notNull(),
  state: text().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** Background jobs; `migrations/0009_background.sql` describes each column. */
export const backgroundJobTable = sqliteTable("background_job", {
  id: text().primaryKey(),
  class: text().notNull(),
  context: text().notNull(),
  parent: text().notNull(),
  call: text().notNull(),
  position: integer().notNull(),
  subagentType: text("subagent_type").notNull(),
  description: text().notNull(),
  prompt: text().notNull(),
  incognito: integer().notNull(),
  resumes: integer().notNull(),
  status: text().notNull(),
  task: text(),
  result: text(),
  createdAt: integer("created_at").notNull(),
  startedAt: integer("started_at"),
  finishedAt: integer("finished_at"),
  delivery: text(),
  failures: integer().notNull(),
  deliveredAt: integer("delivered_at"),
  settledAt: integer("settled_at"),
  dismissedAt: integer("dismissed_at"),
  deletedAt: integer("deleted_at"),
  outside: integer().notNull().default(0),
});

/**
 * What waits for the agent (B39). `priority`: 0 now, 1 next, 2 later. `taken_by` is the call or task that
 * has it, null while it waits; `settled` is 1 once it is theirs for good; `interrupted` counts the turns with it that a
 * restart ended.
 */
export const inboxTable = sqliteTable("inbox", {
  id: integer().primaryKey({ autoIncrement: true }),
  text: text().notNull(),
  priority: integer().notNull(),
  source: text().notNull(),
  dedupKey: text("dedup_key"),
  createdAt: integer("created_at").notNull(),
  takenBy: text("taken_by"),
  takenAt: integer("taken_at"),
  settled: integer().notNull(),
  interrupted: integer().notNull(),
});

/** Tasks that the activity feed shows; everything else about them is read from the journal. */
export const activityTable = sqliteTable("activity", {
  task: text().primaryKey(),
  at: integer().notNull(),
});

/** Where a fork's conversation came from: the base's context and the last turn it took along; see `src/session`. */
export const sessionForkTable = sqliteTable("session_fork", {
  session: integer().primaryKey(),
  base: text().notNull(),
  turn: text().notNull(),
});

/** Sessions that are being deleted. `retire` 0: the session stays, empty. `forget` 1: what its turns stored goes too. */
export const sessionDeletionTable = sqliteTable("session_deletion", {
  context: text().primaryKey(),
  retire: integer().notNull(),
  at: integer().notNull(),
  forget: integer().notNull().default(0),
});

/** Approvals remembered for the same tool with the same arguments (O3). */
export const approvalGrantTable = sqliteTable("approval_grant", {
  id: text().primaryKey(),
  class: text().notNull(),
  tool: text().notNull(),
  args: text().notNull(),
  digest: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

/** Moments at which something is to happen by itself; `body` is JSON that the timer's kind understands. */
export const timerTable = sqliteTable("timer", {
  id: text().primaryKey(),
  kind: text().notNull(),
  class: text().notNull(),
  context: text().notNull(),
  dueAt: integer("due_at").notNull(),
  body: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

/** Turns of which no transcript stays once their session ends; see `src/session/incognito-turns.ts`. */
export const incognitoTurnTable = sqliteTable("incognito_turn", {
  task: text().primaryKey(),
  class: text().notNull(),
  context: text().notNull(),
  at: integer().notNull(),
  whole: integer().notNull(),
});

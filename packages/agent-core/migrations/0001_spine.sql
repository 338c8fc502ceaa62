-- The spine: tasks, their numbered events, conversations, tool calls, prompts, steering and idempotency keys
-- (ruling R12: one store, one transaction per step). Times are epoch milliseconds.

CREATE TABLE task (
  id TEXT PRIMARY KEY NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,
  origin TEXT NOT NULL,
  state TEXT NOT NULL,
  seq INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  options TEXT NOT NULL
) WITHOUT ROWID;
-- Boot reads the open tasks; ended ones leave the index, so it stays as small as the work at hand.
CREATE INDEX task_open ON task (state) WHERE state IN ('queued', 'running', 'parked');

CREATE TABLE event (
  task TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (task, seq)
) WITHOUT ROWID;

CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  class TEXT NOT NULL,
  context TEXT NOT NULL,
  task TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX message_context ON message (class, context, id);

CREATE TABLE call (
  id TEXT PRIMARY KEY NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,
  task TEXT NOT NULL,
  name TEXT NOT NULL,
  args TEXT NOT NULL,
  digest TEXT NOT NULL,
  outcome TEXT,
  result TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) WITHOUT ROWID;
CREATE INDEX call_task ON call (task);
CREATE INDEX call_context ON call (class, context);
-- Ruling R3: after an unknown outcome the same call in the same context needs approval.
CREATE INDEX call_unknown ON call (class, context, digest) WHERE outcome = 'unknown';

CREATE TABLE prompt (
  id TEXT PRIMARY KEY NOT NULL,
  task TEXT NOT NULL,
  call TEXT NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,
  reason TEXT NOT NULL,
  payload TEXT NOT NULL,
  digest TEXT NOT NULL,
  state TEXT NOT NULL,
  answer TEXT,
  created_at INTEGER NOT NULL,
  answered_at INTEGER
) WITHOUT ROWID;
CREATE INDEX prompt_pending ON prompt (created_at) WHERE state = 'pending';
CREATE INDEX prompt_task ON prompt (task);

CREATE TABLE steering (
  id TEXT PRIMARY KEY NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,
  task TEXT,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX steering_context ON steering (class, context, id);

CREATE TABLE idempotency (
  class TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  task TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (class, key)
) WITHOUT ROWID;

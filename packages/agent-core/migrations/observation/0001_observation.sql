-- What is observed of the work, apart from the engine's own store: numbers of turns, and what models were shown. All
-- times are milliseconds since 1970. `turn` is a reading of the journal and can be made again from it.

-- Up to which commit of the journal each reader has written (ruling R12).
CREATE TABLE cursor (
  reader TEXT PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

-- One row per turn that ended or parked; `seq` is the event it is as of. Texts of the conversation are not in it.
CREATE TABLE turn (
  task TEXT PRIMARY KEY NOT NULL,
  seq INTEGER NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,
  origin TEXT NOT NULL,
  state TEXT NOT NULL,
  success INTEGER, -- null while it waits for a person
  model TEXT NOT NULL,
  models TEXT NOT NULL, -- JSON list, one entry per model
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cost_usd REAL, -- null where a price is not known
  duration_ms INTEGER NOT NULL,
  model_calls INTEGER NOT NULL,
  tool_calls INTEGER NOT NULL,
  tool_durations TEXT NOT NULL, -- JSON {tool: [ms]}
  context_tokens INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  persona TEXT,
  trace TEXT
) WITHOUT ROWID;
CREATE INDEX turn_ended ON turn (ended_at, task);

-- Texts of prompts, each once, by their digest.
CREATE TABLE prompt_text (
  digest TEXT PRIMARY KEY NOT NULL,
  text TEXT NOT NULL
) WITHOUT ROWID;

-- One row per captured model call. Rows are numbered in the order they are written, so that the oldest can be trimmed.
CREATE TABLE prompt_call (
  id INTEGER PRIMARY KEY,
  task TEXT NOT NULL,
  step INTEGER NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,
  at INTEGER NOT NULL,
  model TEXT NOT NULL,
  stable TEXT NOT NULL, -- digest of the text
  volatile TEXT NOT NULL,
  sections TEXT NOT NULL, -- JSON
  usage TEXT NOT NULL -- JSON
);
CREATE INDEX prompt_call_task ON prompt_call (task, step);
CREATE INDEX prompt_call_context ON prompt_call (context, id);
CREATE INDEX prompt_call_at ON prompt_call (at);
CREATE INDEX prompt_call_stable ON prompt_call (stable);

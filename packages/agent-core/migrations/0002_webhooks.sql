-- Webhooks (rulings W1, W2). The outbox is the journal: a row says up to which event its receiver was told, so whatever
-- a commit journals is queued by that very commit (ruling A18), and a task without webhooks costs nothing.

CREATE TABLE push_config (
  task TEXT NOT NULL,
  class TEXT NOT NULL,        -- of whoever registered it (ruling A16)
  id TEXT NOT NULL,
  context TEXT NOT NULL,
  version TEXT NOT NULL,      -- of the protocol it was registered in
  url TEXT NOT NULL,
  token TEXT,
  scheme TEXT,
  credentials TEXT,
  created_at INTEGER NOT NULL,
  cursor INTEGER NOT NULL,    -- number of the last event that was told, or given up
  target INTEGER NOT NULL,    -- number of the event being told; 0: none was begun
  step INTEGER NOT NULL,      -- of several POSTs that tell one event, the last that is done; 0: none
  failures INTEGER NOT NULL,  -- of the POST being tried
  next_at INTEGER NOT NULL,   -- when it is tried again
  settled_at INTEGER,         -- when the task's end was told; null: there is something to tell, or will be
  PRIMARY KEY (task, class, id)
) WITHOUT ROWID;
-- Boot reads the open ones.
CREATE INDEX push_config_open ON push_config (task) WHERE settled_at IS NULL;
-- Retention reads the others.
CREATE INDEX push_config_settled ON push_config (settled_at) WHERE settled_at IS NOT NULL;

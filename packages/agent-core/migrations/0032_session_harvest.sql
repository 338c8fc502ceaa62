-- Conversations of which memories are extracted (document 3 `knowledge`, `checkpoint.harvest_enabled`). Times are epoch milliseconds.
CREATE TABLE session_harvest (
  session TEXT PRIMARY KEY NOT NULL,
  upto TEXT NOT NULL DEFAULT '',        -- the last turn of which memories were extracted; blank: none
  due TEXT,                             -- the newest turn when that became due again; null: it is not
  removal INTEGER NOT NULL DEFAULT 0,   -- 1: its age has come, and it is removed afterwards
  tries INTEGER NOT NULL DEFAULT 0,     -- that failed
  task TEXT,                            -- that asks a model now
  at INTEGER NOT NULL                   -- from when on it may be tried
) WITHOUT ROWID;
CREATE INDEX session_harvest_due ON session_harvest (at) WHERE due IS NOT NULL;

-- Conditions that are checked again and again, and when they fired. Times are epoch milliseconds.
CREATE TABLE watch (
  id TEXT PRIMARY KEY NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,        -- of its reactions
  spec TEXT NOT NULL,           -- what it watches and what happens then; JSON
  state TEXT NOT NULL,          -- what the last edge left, and its open reaction; JSON
  status TEXT NOT NULL,         -- active, met, expired
  created_at INTEGER NOT NULL,
  finished_at INTEGER           -- null: it is active
) WITHOUT ROWID;

CREATE TABLE watch_fire (
  watch TEXT NOT NULL,
  no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,           -- met, change, expired, stalled
  task TEXT,                    -- its reaction; null: it became part of a later one, or of none
  reason TEXT NOT NULL,
  evidence TEXT NOT NULL,
  PRIMARY KEY (watch, no)
) WITHOUT ROWID;

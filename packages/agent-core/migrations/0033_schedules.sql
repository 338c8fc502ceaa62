-- Jobs that start turns at times of a schedule, and the ledger of their slots. Times are epoch milliseconds. When a job is due next
-- is a row of `timer`, `schedule:<id>`.
CREATE TABLE schedule_job (
  id TEXT PRIMARY KEY NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,        -- of its turns
  prompt TEXT NOT NULL,
  schedule TEXT NOT NULL,
  kind TEXT NOT NULL,           -- cron, once
  timezone TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  pause_reason TEXT,
  off_since INTEGER,            -- since when it is not enabled; null: it is, or it is over
  fresh INTEGER NOT NULL,       -- 1: its turns see their own messages alone
  overlap TEXT NOT NULL,        -- skip, queue, allow
  catch_up_s INTEGER NOT NULL,
  jitter_s INTEGER NOT NULL,
  retries INTEGER NOT NULL,
  only_if TEXT,                 -- the check that is asked before a slot; JSON
  outside INTEGER NOT NULL,     -- 1: its text was written in a conversation with content from outside
  failures INTEGER NOT NULL,    -- slots in a row
  created_by TEXT NOT NULL,
  origin_call TEXT,             -- the call that made it
  origin_trigger TEXT,          -- what had started the turn of that call
  tz_version TEXT NOT NULL,     -- of the table of time zones that its next slot was found with
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE schedule_run (
  job TEXT NOT NULL,
  slot INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL,          -- running, completed, failed, interrupted, unconfirmed, skipped, missed, canceled
  reason TEXT,
  task TEXT,                    -- null: it waits, is sent elsewhere, or began nothing
  due_at INTEGER NOT NULL,      -- from when on this attempt may begin
  started_at INTEGER,
  ended_at INTEGER,
  upto INTEGER,                 -- the last slot of those a row of missed ones stands for
  missed INTEGER,               -- how many they are; 1000: at least
  PRIMARY KEY (job, slot, attempt)
) WITHOUT ROWID;
CREATE INDEX schedule_run_open ON schedule_run (job) WHERE ended_at IS NULL;

-- When the service started lately, and since when schedules are switched off.
CREATE TABLE schedule_state (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Whether a turn was marked by content from outside.
CREATE INDEX message_tainted ON message (class, context, task) WHERE kind = 'tainted';

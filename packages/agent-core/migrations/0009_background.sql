-- Background jobs (rulings R1, R12; document 2): work that a turn left to a task of its own. A row is the job's account
-- and the outbox of its report. Times are epoch milliseconds.
CREATE TABLE background_job (
  id TEXT PRIMARY KEY NOT NULL,     -- bg-<12 hex>, made from the call, so a call that is repeated finds its jobs
  class TEXT NOT NULL,              -- of the session it was spawned in (ruling A16)
  context TEXT NOT NULL,            -- that session
  parent TEXT NOT NULL,             -- the task whose call spawned it: jobs of one task are reported together
  call TEXT NOT NULL,
  position INTEGER NOT NULL,        -- among the jobs of that call
  subagent_type TEXT NOT NULL,
  description TEXT NOT NULL,
  prompt TEXT NOT NULL,
  incognito INTEGER NOT NULL,       -- 1: spawned by an incognito turn
  resumes INTEGER NOT NULL,         -- 1: its end may start a turn in its session (document 3 background.auto_resume)
  status TEXT NOT NULL,             -- running, completed, failed or canceled
  task TEXT,                        -- its own task; null while it waits for a slot
  result TEXT,                      -- the report, or why it failed
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  delivery TEXT,                    -- the turn that reads the report; set by the command that starts that turn
  failures INTEGER NOT NULL,        -- turns that were to read it and failed
  delivered_at INTEGER,             -- when such a turn was seen to have ended
  settled_at INTEGER,               -- when nothing was left to be done about it
  dismissed_at INTEGER,             -- cleared from the list
  deleted_at INTEGER
);
-- A start reads those with something left to do.
CREATE INDEX background_job_open ON background_job (id) WHERE settled_at IS NULL;
CREATE INDEX background_job_listed ON background_job (created_at, id);

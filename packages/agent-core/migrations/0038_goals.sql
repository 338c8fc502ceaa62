-- Conditions that the agent works towards until a check says that they hold, one a session, and what happened to each.
-- Times are epoch milliseconds.
CREATE TABLE goal (
  class TEXT NOT NULL,
  context TEXT NOT NULL,        -- the session
  id TEXT NOT NULL,
  spec TEXT NOT NULL,           -- what is to hold, its check and its bounds; JSON
  state TEXT NOT NULL,          -- counters, the last verdict, the tasks that work on it; JSON
  plan TEXT NOT NULL,
  status TEXT NOT NULL,         -- active, met, exhausted, unachievable
  created_at INTEGER NOT NULL,
  finished_at INTEGER,          -- null: it is active
  PRIMARY KEY (class, context)
) WITHOUT ROWID;
CREATE INDEX goal_newest ON goal (created_at, id);
CREATE INDEX goal_active ON goal (status) WHERE status = 'active';

CREATE TABLE goal_event (
  goal TEXT NOT NULL,
  no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,           -- JSON
  PRIMARY KEY (goal, no)
) WITHOUT ROWID;

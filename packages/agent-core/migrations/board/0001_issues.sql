-- The task board (document 2 "Issue", document 3 `TASKS_DB_PATH`). Times are epoch milliseconds.

CREATE TABLE issue (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- shown as task-<id>; never given twice
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  priority INTEGER NOT NULL,
  type TEXT NOT NULL,
  assignee TEXT NOT NULL,
  session TEXT NOT NULL,       -- the conversation it was created in; blank for none
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  closed_at INTEGER,
  close_reason TEXT NOT NULL
);
-- The agent asks for what is to be done, the most urgent first.
CREATE INDEX issue_to_do ON issue (priority, id) WHERE status <> 'closed';

-- Changes that were carried out, by the id of the call that asked for them (ruling R12): a call that a restart makes
-- again changes nothing twice.
CREATE TABLE carried_out (
  call TEXT PRIMARY KEY NOT NULL,
  issue INTEGER NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX carried_out_at ON carried_out (at);

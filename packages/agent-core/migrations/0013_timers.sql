-- Moments at which something is to happen by itself, such as the end of a wait (document 3 "Scheduling"). A row leaves in
-- the commit of what it starts. The table is read once, at the start. Times are epoch milliseconds.
CREATE TABLE timer (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

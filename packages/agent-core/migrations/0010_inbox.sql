-- What waits for the agent (document 2 "Inbox"; ruling R12: in the store of the tasks, so that an item and the turn that
-- reads it are one commit). A call has what it took for good once it came to a result, a turn once it ended other than by
-- a restart; else the items wait again.
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL,
  priority INTEGER NOT NULL,  -- 0 now, 1 next, 2 later
  source TEXT NOT NULL,       -- who put it there, in their words; blank for nobody said
  dedup_key TEXT,
  created_at INTEGER NOT NULL,
  taken_by TEXT,              -- id of the call or the task that has it; null: it waits
  taken_at INTEGER,
  settled INTEGER NOT NULL,   -- 1: it is theirs for good
  interrupted INTEGER NOT NULL -- turns with it that a restart ended
);
CREATE INDEX inbox_waiting ON inbox (priority, id) WHERE taken_by IS NULL;
CREATE INDEX inbox_taken ON inbox (taken_by) WHERE settled = 0 AND taken_by IS NOT NULL;
CREATE INDEX inbox_done ON inbox (taken_at) WHERE settled = 1;
CREATE INDEX inbox_dedup ON inbox (dedup_key, created_at) WHERE dedup_key IS NOT NULL;

-- The tasks that the activity feed shows, written with their acceptance: what starts by itself, and what is said in the
-- activity conversation. Other tasks cost nothing here.
CREATE TABLE activity (
  task TEXT PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX activity_at ON activity (at);

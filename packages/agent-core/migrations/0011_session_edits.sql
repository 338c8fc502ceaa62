-- Forks of sessions: where their conversation came from. What a fork shows of it are the base's own messages.
CREATE TABLE session_fork (
  session INTEGER PRIMARY KEY, -- its `session.no`
  base TEXT NOT NULL,          -- context it branched off
  turn TEXT NOT NULL           -- last turn it took along
);
CREATE INDEX session_fork_base ON session_fork (base);

-- Sessions that are being deleted (ruling O8): a kill in the middle is gone on with at the next start.
CREATE TABLE session_deletion (
  context TEXT PRIMARY KEY NOT NULL,
  retire INTEGER NOT NULL,     -- 0: the session stays, empty
  at INTEGER NOT NULL
) WITHOUT ROWID;

-- Approvals that a person gave once and for all (ruling O3): the same tool with the same arguments, for tasks of one class.
-- `args` is the canonical JSON text, `digest` that of tool and arguments. Times are epoch milliseconds.
CREATE TABLE approval_grant (
  id TEXT PRIMARY KEY NOT NULL,
  class TEXT NOT NULL,
  tool TEXT NOT NULL,
  args TEXT NOT NULL,
  digest TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX approval_grant_call ON approval_grant (class, digest);

-- What the store needs to know about itself. Written before anything else; see prepare-store.ts.

-- Which migrations were applied, and that their text has not changed since.
CREATE TABLE schema_migration (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  checksum   TEXT NOT NULL,
  applied_at INTEGER NOT NULL -- milliseconds since 1970
) STRICT;

-- Who owns the store (ruling R12, E11). Exactly one row; every commit checks its epoch.
CREATE TABLE lease (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  epoch       INTEGER NOT NULL, -- grows by one with each owner
  owner       TEXT NOT NULL,    -- the owner's name, for people
  pid         INTEGER NOT NULL,
  host        TEXT NOT NULL,
  boot        TEXT NOT NULL,    -- this start of that host, and its process namespace
  started     TEXT NOT NULL,    -- the process's start time, against reused process ids
  acquired_at INTEGER NOT NULL, -- milliseconds since 1970
  expires_at  INTEGER NOT NULL, -- milliseconds since 1970; 0 when released
  commit_id   TEXT NOT NULL     -- the last group committed through a server; see remote-group.ts
) STRICT;

INSERT INTO lease (id, epoch, owner, pid, host, boot, started, acquired_at, expires_at, commit_id)
VALUES (1, 0, '', 0, '', '', '', 0, 0, '');

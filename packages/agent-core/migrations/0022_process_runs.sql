-- Processes that were started and are not known to have ended. A row is written while its process runs, and leaves when the
-- whole group has ended; at the start of the service what still runs is ended. `started` and `boot` tell a process from a
-- later one of the same id. Times are epoch milliseconds.
CREATE TABLE process_run (
  id TEXT PRIMARY KEY NOT NULL,
  owner TEXT NOT NULL, -- for example `call:<id>`
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  boot TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

-- What is forgotten for good, with its copies elsewhere (K12, KM6). A row is the intent until `done_at`, and the receipt from
-- then on. It holds no text.
CREATE TABLE forgetting (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,                -- JSON: what was asked for, without words
  chunks TEXT NOT NULL,               -- JSON: numbers of memories
  sources TEXT NOT NULL,              -- JSON: numbers of documents
  counts TEXT NOT NULL DEFAULT '{}',  -- JSON
  begun_at INTEGER NOT NULL,
  done_at INTEGER,
  settled_at INTEGER                  -- when no turn could hold it in memory any more
);
CREATE INDEX forgetting_open ON forgetting (id) WHERE settled_at IS NULL;
CREATE INDEX chunk_session ON chunk (session) WHERE session <> '';

-- Documents that were read into chunks. Times are epoch milliseconds.

CREATE TABLE source (
  id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice
  -- receiving: its bytes come in. queued, reading: they are there. ready: its chunks are shown. failed. removed: they are shown
  -- nowhere, and deleted a day later.
  state TEXT NOT NULL,
  uri TEXT NOT NULL,                     -- an address, or a place in a project; blank: it was handed over
  name TEXT NOT NULL,                    -- its file name, for people; it names no file
  media_type TEXT NOT NULL,
  digest TEXT NOT NULL,                  -- SHA-256 of its bytes
  domain TEXT NOT NULL,
  namespace TEXT NOT NULL,               -- blank, or the one conversation whose attachment it is
  title TEXT NOT NULL,
  type TEXT NOT NULL,                    -- what it is; blank until it was read
  bytes INTEGER NOT NULL,
  chars INTEGER NOT NULL,
  total INTEGER NOT NULL,                -- chunks; 0 until it was read
  done INTEGER NOT NULL,                 -- those that are stored
  error_code TEXT NOT NULL,
  error TEXT NOT NULL,                   -- for people
  held TEXT NOT NULL,                    -- why its chunks wait for a person; blank: they do not
  session TEXT NOT NULL,
  task TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
);
CREATE INDEX source_digest ON source (digest, domain, namespace);
CREATE INDEX source_uri ON source (uri) WHERE uri <> '';
CREATE INDEX source_open ON source (state, id) WHERE state IN ('receiving', 'queued', 'reading');
CREATE INDEX source_removed ON source (removed_at) WHERE removed_at IS NOT NULL;

-- The bytes of a document until it was read, in parts, so that no commit is large.
CREATE TABLE source_part (
  source INTEGER NOT NULL,
  part INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (source, part)
);

-- 0: of no document.
ALTER TABLE chunk ADD COLUMN source INTEGER NOT NULL DEFAULT 0;
-- Which of its document's, from 0.
ALTER TABLE chunk ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
-- As its source's.
ALTER TABLE chunk ADD COLUMN namespace TEXT NOT NULL DEFAULT '';
CREATE INDEX chunk_source ON chunk (source, place) WHERE source > 0;

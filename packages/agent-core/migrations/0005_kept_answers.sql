-- Answers to the operator's requests that came with an idempotency key (ruling A15), 24 hours. A row is written before the
-- request is carried out. Without a status its outcome is not known; with a status and without headers it was carried out
-- and its answer is not kept.
CREATE TABLE kept_answer (
  class TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  status INTEGER,
  headers TEXT,
  body TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (class, key)
);

-- A name of this store that stays with it: clients clear what they cached of another.
CREATE TABLE instance (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL
);
INSERT INTO instance (id, uid) VALUES (1, lower(hex(randomblob(12))));

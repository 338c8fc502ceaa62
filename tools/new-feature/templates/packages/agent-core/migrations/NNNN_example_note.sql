-- The entries of the feature example-note. `source` names the call or request that added one, so that it adds one only.
CREATE TABLE example_note (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL, -- epoch milliseconds
  source TEXT NOT NULL UNIQUE
);

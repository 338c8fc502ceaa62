-- Conversations and runs that were shared by a link. The link itself is stored nowhere.
CREATE TABLE share (
  id TEXT PRIMARY KEY NOT NULL,
  link TEXT NOT NULL UNIQUE, -- SHA-256 of the link's secret, hex
  source TEXT NOT NULL UNIQUE, -- SHA-256 of the request's idempotency key, or the id
  session TEXT NOT NULL,
  task TEXT, -- NULL: the whole session
  title TEXT NOT NULL,
  included TEXT NOT NULL, -- JSON: what was ticked
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL, -- epoch milliseconds
  expires_at INTEGER NOT NULL,
  tasks TEXT NOT NULL, -- JSON: the tasks that the copy shows
  page TEXT NOT NULL -- the frozen, redacted copy as HTML
);
CREATE INDEX share_session ON share (session);
CREATE INDEX share_expiry ON share (expires_at);

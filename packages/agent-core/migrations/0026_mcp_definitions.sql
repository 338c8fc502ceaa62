-- Servers of tools over the Model Context Protocol. Times are epoch milliseconds.

CREATE TABLE mcp_server (
  name TEXT PRIMARY KEY NOT NULL,
  config_digest TEXT,            -- of the program or address whose definitions were seen last; null: none were
  era TEXT,                      -- the revision of the protocol it was found to speak
  probed_at INTEGER              -- when that was
) WITHOUT ROWID;

-- One row per tool or prompt that a server showed: what was approved, and what it shows now.
CREATE TABLE mcp_definition (
  server TEXT NOT NULL,
  kind TEXT NOT NULL,            -- tool, prompt
  name TEXT NOT NULL,            -- the server's own
  digest TEXT NOT NULL,          -- SHA-256 of what it showed last
  approved TEXT,                 -- JSON; what the model reads; null: never approved
  seen TEXT,                     -- JSON; what it showed last, where that is something else
  state TEXT NOT NULL,           -- approved, held, gone
  seen_at INTEGER NOT NULL,
  decided_at INTEGER,            -- when the operator decided about this digest; of a held one: rejected it
  PRIMARY KEY (server, kind, name)
) WITHOUT ROWID;
CREATE INDEX mcp_definition_state ON mcp_definition (state);

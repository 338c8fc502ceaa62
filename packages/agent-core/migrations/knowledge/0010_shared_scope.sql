-- With the scope `shared` the memories are those of the commons (K26): a row each, written here first and then to its file.
-- What this agent keeps by itself waits meanwhile in the namespace `private`, and where the scope is another one again, what is
-- of the commons in the namespace `shared`.

CREATE TABLE commons_scope (id INTEGER PRIMARY KEY CHECK (id = 1), shared INTEGER NOT NULL) STRICT;
INSERT INTO commons_scope (id, shared) VALUES (1, 0);

-- Several memories may say what one file says.
CREATE TABLE commons_link (
  file TEXT NOT NULL,
  version TEXT NOT NULL,  -- of the file: another one when it was replaced
  chunk INTEGER NOT NULL, -- 0: the file is no memory that this process can read
  PRIMARY KEY (file, chunk)
) WITHOUT ROWID;
INSERT INTO commons_link (file, version, chunk) SELECT file, version, chunk FROM commons_copy;
DROP TABLE commons_copy;
ALTER TABLE commons_link RENAME TO commons_copy;
CREATE INDEX commons_copy_chunk ON commons_copy (chunk);

-- Memories of which the commons are to be told, and how often they changed since.
CREATE TABLE commons_change (chunk INTEGER PRIMARY KEY, changes INTEGER NOT NULL) STRICT;

CREATE TRIGGER commons_chunk_added AFTER INSERT ON chunk
WHEN NEW.namespace = '' AND NEW.source = 0 AND (SELECT shared FROM commons_scope) = 1 BEGIN
  INSERT INTO commons_change (chunk, changes) VALUES (NEW.id, 1) ON CONFLICT (chunk) DO UPDATE SET changes = changes + 1;
END;
CREATE TRIGGER commons_chunk_changed
AFTER UPDATE OF content, domain, kind, subject, heading, policy, trust, review, expires_at, invalidated_at, removed_at ON chunk
WHEN NEW.namespace = 'shared' OR (NEW.namespace = '' AND (SELECT shared FROM commons_scope) = 1) BEGIN
  INSERT INTO commons_change (chunk, changes) VALUES (NEW.id, 1) ON CONFLICT (chunk) DO UPDATE SET changes = changes + 1;
END;
CREATE TRIGGER commons_chunk_deleted AFTER DELETE ON chunk
WHEN OLD.namespace IN ('', 'shared') AND EXISTS (SELECT 1 FROM commons_copy WHERE chunk = OLD.id) BEGIN
  INSERT INTO commons_change (chunk, changes) VALUES (OLD.id, 1) ON CONFLICT (chunk) DO UPDATE SET changes = changes + 1;
END;
CREATE TRIGGER commons_source_changed AFTER UPDATE OF state ON source
WHEN NEW.namespace = '' AND 'ready' IN (OLD.state, NEW.state) AND (SELECT shared FROM commons_scope) = 1 BEGIN
  INSERT INTO commons_change (chunk, changes) SELECT id, 1 FROM chunk WHERE source = NEW.id AND source > 0
  ON CONFLICT (chunk) DO UPDATE SET changes = changes + 1;
END;

-- By what a memory of this agent is found that says what one of the commons says.
CREATE INDEX chunk_said ON chunk (domain, substr(content, 1, 64))
  WHERE namespace = '' AND invalidated_at IS NULL AND removed_at IS NULL;

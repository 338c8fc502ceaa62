-- What the agent knows (document 3 `knowledge`). Times are epoch milliseconds.

CREATE TABLE chunk (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- shown to people and models; never given twice
  domain TEXT NOT NULL,                 -- folded: NFKC, lower case, single spaces
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  heading TEXT NOT NULL,
  subject_key TEXT NOT NULL,            -- the folded subject, else the folded heading; blank: nothing replaces it
  content TEXT NOT NULL,
  search_title TEXT,                    -- what the index reads instead of subject and heading, where that differs
  search_text TEXT,                     -- and instead of the content
  policy TEXT NOT NULL,
  trust INTEGER NOT NULL,               -- 3 operator, 2 agent, 1 outside
  review TEXT NOT NULL,
  review_reason TEXT NOT NULL,          -- why it waits; blank otherwise
  revision INTEGER NOT NULL DEFAULT 1,
  session TEXT NOT NULL,                -- the conversation it was written in; blank for none
  task TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER NOT NULL,
  expires_at INTEGER,
  invalidated_at INTEGER,
  superseded_by INTEGER,
  removed_at INTEGER,                   -- forgotten: shown nowhere, and deleted a day later
  removed_reason TEXT NOT NULL DEFAULT ''
);
CREATE INDEX chunk_subject ON chunk (subject_key, domain, kind)
  WHERE subject_key <> '' AND invalidated_at IS NULL AND removed_at IS NULL;
CREATE INDEX chunk_always ON chunk (id) WHERE policy = 'always' AND invalidated_at IS NULL AND removed_at IS NULL;
CREATE INDEX chunk_pending ON chunk (id) WHERE review = 'pending' AND invalidated_at IS NULL AND removed_at IS NULL;
CREATE INDEX chunk_domain ON chunk (domain, id);
CREATE INDEX chunk_removed ON chunk (removed_at) WHERE removed_at IS NOT NULL;

-- How many there are: counting them at each write would look at all of them.
CREATE TABLE chunk_count (id INTEGER PRIMARY KEY CHECK (id = 1), chunks INTEGER NOT NULL);
INSERT INTO chunk_count (id, chunks) VALUES (1, 0);

-- Keyword search. The texts are read from the table. A deleted row's words stay in the index until it is merged, which the
-- store does whenever it deletes: FTS5's own `secure-delete` fails its integrity check in SQLite 3.45.
CREATE VIEW chunk_words AS
  SELECT id, coalesce(search_title, subject || ' ' || heading) AS title, coalesce(search_text, content) AS text FROM chunk;
CREATE VIRTUAL TABLE chunk_text USING fts5(
  title, text, content='chunk_words', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER chunk_added AFTER INSERT ON chunk BEGIN
  INSERT INTO chunk_text (rowid, title, text)
  VALUES (NEW.id, coalesce(NEW.search_title, NEW.subject || ' ' || NEW.heading), coalesce(NEW.search_text, NEW.content));
  UPDATE chunk_count SET chunks = chunks + 1;
END;
CREATE TRIGGER chunk_deleted AFTER DELETE ON chunk BEGIN
  INSERT INTO chunk_text (chunk_text, rowid, title, text)
  VALUES ('delete', OLD.id, coalesce(OLD.search_title, OLD.subject || ' ' || OLD.heading),
          coalesce(OLD.search_text, OLD.content));
  UPDATE chunk_count SET chunks = chunks - 1;
END;

-- Changes that were carried out, by the id of the call that asked for them (ruling R12): a call that a restart makes
-- again changes nothing twice.
CREATE TABLE carried_out (
  call TEXT PRIMARY KEY NOT NULL,
  chunk INTEGER NOT NULL,
  outcome TEXT NOT NULL, -- JSON
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX carried_out_at ON carried_out (at);

-- Summaries of conversations (document 3 `memory`): what their files say, to be listed and searched. Times are epoch milliseconds.

CREATE TABLE summary (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,       -- when its last turn ended
  surface TEXT NOT NULL,
  topic TEXT NOT NULL,       -- how the first message begins
  messages INTEGER NOT NULL,
  bytes INTEGER NOT NULL,    -- of the file
  outside INTEGER NOT NULL,  -- 1: it holds content from outside
  words TEXT NOT NULL        -- what is searched
) STRICT;
CREATE INDEX summary_at ON summary (at, no);

-- The texts are read from the table. Words of deleted rows stay in the index until it is merged.
CREATE VIRTUAL TABLE summary_text USING fts5(
  words, content='summary', content_rowid='no', tokenize='porter unicode61 remove_diacritics 2'
);
CREATE TABLE summary_count (id INTEGER PRIMARY KEY CHECK (id = 1), unmerged INTEGER NOT NULL);
INSERT INTO summary_count (id, unmerged) VALUES (1, 0);
CREATE TRIGGER summary_added AFTER INSERT ON summary BEGIN
  INSERT INTO summary_text (rowid, words) VALUES (NEW.no, NEW.words);
END;
CREATE TRIGGER summary_changed AFTER UPDATE OF words ON summary BEGIN
  INSERT INTO summary_text (summary_text, rowid, words) VALUES ('delete', OLD.no, OLD.words);
  INSERT INTO summary_text (rowid, words) VALUES (NEW.no, NEW.words);
END;
CREATE TRIGGER summary_deleted AFTER DELETE ON summary BEGIN
  INSERT INTO summary_text (summary_text, rowid, words) VALUES ('delete', OLD.no, OLD.words);
  UPDATE summary_count SET unmerged = unmerged + 1;
END;

-- Conversations that changed later than this, in milliseconds since 1970, may have no summary yet.
CREATE TABLE summary_mark (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;

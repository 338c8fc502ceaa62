-- The index still has words of rows that were deleted or changed since it was last merged.
ALTER TABLE chunk_count ADD COLUMN unmerged INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER chunk_deleted;
CREATE TRIGGER chunk_deleted AFTER DELETE ON chunk BEGIN
  INSERT INTO chunk_text (chunk_text, rowid, title, text)
  VALUES ('delete', OLD.id, coalesce(OLD.search_title, OLD.subject || ' ' || OLD.heading),
          coalesce(OLD.search_text, OLD.content));
  UPDATE chunk_count SET chunks = chunks - 1, unmerged = unmerged + 1;
END;

-- What a person rejected: a hash of its words, so that they are known again when the memory itself was deleted.
CREATE TABLE rejected (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  fingerprint TEXT NOT NULL UNIQUE
);

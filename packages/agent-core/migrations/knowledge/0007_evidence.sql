-- Conversations, beside the one a memory was written in, that said the same (K12): it stays when one of them is forgotten.
CREATE TABLE evidence (
  chunk INTEGER NOT NULL,
  session TEXT NOT NULL,
  PRIMARY KEY (chunk, session)
) WITHOUT ROWID;
CREATE INDEX evidence_session ON evidence (session);
CREATE TRIGGER evidence_deleted AFTER DELETE ON chunk BEGIN
  DELETE FROM evidence WHERE chunk = OLD.id;
END;

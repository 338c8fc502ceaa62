-- Search by meaning (K25). Vectors are made behind the writes, and anew where the model changes: those of different models are
-- never compared.

CREATE TABLE embed_model (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- grows with each model, so what an earlier one made is told by its number
  name TEXT NOT NULL,                   -- connection and model
  dims INTEGER NOT NULL,
  mean BLOB NOT NULL,                   -- float32: what unrelated texts have in common
  floor REAL NOT NULL,                  -- the cosine above which two texts are related
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE vector (
  chunk INTEGER PRIMARY KEY,
  model INTEGER NOT NULL,
  signs BLOB NOT NULL, -- a bit for each number: above the mean or not
  full BLOB NOT NULL   -- a float32 scale, then an int8 for each number
) STRICT;
CREATE INDEX vector_model ON vector (model, chunk);

ALTER TABLE chunk ADD COLUMN embedded INTEGER NOT NULL DEFAULT 0; -- the newest model that it was shown to
CREATE INDEX chunk_embedded ON chunk (embedded, id) WHERE invalidated_at IS NULL AND removed_at IS NULL;

CREATE TRIGGER chunk_vector_deleted AFTER DELETE ON chunk BEGIN
  DELETE FROM vector WHERE chunk = OLD.id;
END;
CREATE TRIGGER chunk_vector_outdated AFTER UPDATE OF content, subject, heading ON chunk BEGIN
  DELETE FROM vector WHERE chunk = OLD.id;
  UPDATE chunk SET embedded = 0 WHERE id = OLD.id;
END;

-- Memories that the agents of a home share are files (K26). These rows follow them: a chunk of the namespace `commons` each.
CREATE TABLE commons_copy (
  file TEXT PRIMARY KEY NOT NULL,
  version TEXT NOT NULL, -- of the file: another one when it was replaced
  chunk INTEGER NOT NULL -- 0: the file is no memory that this process can read
) WITHOUT ROWID;
CREATE INDEX commons_copy_chunk ON commons_copy (chunk);

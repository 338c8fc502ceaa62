-- What turns of a session stored is forgotten with it, whenever the process is killed and however long the store of
-- memories cannot be opened (K13).
ALTER TABLE session_deletion ADD COLUMN forget INTEGER NOT NULL DEFAULT 0;

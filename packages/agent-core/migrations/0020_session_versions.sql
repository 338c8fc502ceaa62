-- Versions of a conversation: forks that another turn begins in the place of one, under the conversation they belong to.
ALTER TABLE session ADD COLUMN version_of TEXT; -- the session that is listed for it; null: it is listed itself
CREATE INDEX session_version ON session (version_of) WHERE version_of IS NOT NULL;

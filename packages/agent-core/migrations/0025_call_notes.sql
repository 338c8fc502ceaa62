-- What a tool kept for a call that has not ended, as JSON: by it the call continues after a restart. Gone with its outcome,
-- unless that is unknown.
ALTER TABLE call ADD COLUMN note TEXT;

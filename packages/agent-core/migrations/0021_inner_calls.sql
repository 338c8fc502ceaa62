-- A call that another call made (SC1): a script's. It belongs to no conversation; null for every other call.
ALTER TABLE call ADD COLUMN parent TEXT;
CREATE INDEX call_parent ON call (parent) WHERE parent IS NOT NULL;

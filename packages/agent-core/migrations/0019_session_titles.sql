-- Titles of sessions by a model.
ALTER TABLE session ADD COLUMN headline TEXT; -- the title; `title` is a person's and goes before it
ALTER TABLE session ADD COLUMN titling TEXT;  -- null: never asked for; 'due'; the task that is asked; empty: over
CREATE INDEX session_titling ON session (titling) WHERE titling > '';

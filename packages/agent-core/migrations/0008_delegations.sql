-- Tasks that a tool call of another task started (ruling R1: a subagent is an origin of tasks). The index holds those
-- alone, so a task that nobody delegated pays nothing for it.
ALTER TABLE task ADD COLUMN parent TEXT;
CREATE INDEX task_parent ON task (parent, id) WHERE parent IS NOT NULL;

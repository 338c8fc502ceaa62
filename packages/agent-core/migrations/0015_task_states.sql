-- The two indexes of tasks by state, with conditions that cost less. For `IN` with three values SQLite builds a small table
-- each time a row is held against it: five times for each change of a task's state, twice for each new task, together a
-- seventh of what a plain turn took the writing thread. A query must say the condition in the same words to use the index.
DROP INDEX task_open;
CREATE INDEX task_open ON task (state) WHERE state = 'queued' OR state = 'running' OR state = 'parked';
DROP INDEX task_ended;
CREATE INDEX task_ended ON task (updated_at, id) WHERE state = 'completed' OR state = 'failed' OR state = 'canceled';

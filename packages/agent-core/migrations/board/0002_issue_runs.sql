-- The turn that the agent was given an issue in. Named before it starts (`run_started` 0), so that it starts once whenever
-- the process is killed: a task of this id is never accepted twice.
ALTER TABLE issue ADD COLUMN run_task TEXT;
ALTER TABLE issue ADD COLUMN run_session TEXT;
ALTER TABLE issue ADD COLUMN run_started INTEGER NOT NULL DEFAULT 0;
CREATE INDEX issue_run ON issue (run_session) WHERE run_session IS NOT NULL;

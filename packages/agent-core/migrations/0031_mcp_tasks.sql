-- Calls that kept a note and ended without a result: the few of which a server may still have a task.
CREATE INDEX call_given_up ON call (id) WHERE note IS NOT NULL AND outcome IN ('aborted', 'unknown');

-- Calls that ended without a known outcome and kept a note: the few of which a server may still have a task.
CREATE INDEX call_given_up ON call (id) WHERE note IS NOT NULL AND outcome = 'unknown';

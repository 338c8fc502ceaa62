-- What the list of sessions shows of them beside their state. Times are epoch milliseconds.
ALTER TABLE session ADD COLUMN pinned_at INTEGER; -- null: not pinned
CREATE INDEX session_pinned ON session (pinned_at) WHERE pinned_at IS NOT NULL;

-- 1: its conversation began incognito, and all of its turns are.
ALTER TABLE incognito_turn ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;
CREATE INDEX incognito_turn_whole ON incognito_turn (context) WHERE whole = 1;

-- Turns that failed or were canceled, over time: they are few, and not among the sums.
CREATE INDEX turn_unsuccessful ON turn (ended_at, state) WHERE success = 0;

-- Up to when turns are added up: `turn_total` and `turn_bucket` hold those that ended before, and the rest is read from its
-- rows. So far each was added up when it was written.
INSERT INTO cursor (reader, at) SELECT 'turn_total', coalesce(max(ended_at) + 1, 0) FROM turn;

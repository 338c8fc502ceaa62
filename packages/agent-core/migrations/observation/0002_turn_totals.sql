-- What turns came to, added up as their rows come: a summary of a million turns reads some thousand rows. Only turns that
-- ended are in it, for they do not change any more; those that wait for a person are few and read as they are.

-- `level` 0 is everything (period 0), 1 a day, 2 an hour; `period` is its start.
CREATE TABLE turn_total (
  level INTEGER NOT NULL,
  period INTEGER NOT NULL,
  model TEXT NOT NULL,
  turns INTEGER NOT NULL,
  successes INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cost_usd REAL, -- of the turns whose cost is known
  unpriced INTEGER NOT NULL,
  model_calls INTEGER NOT NULL,
  tool_calls INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  max_context_tokens INTEGER NOT NULL,
  PRIMARY KEY (level, period, model)
) WITHOUT ROWID;

-- How many values lie between `low` and the next one: each number below 128, above it 64 steps for each doubling.
CREATE TABLE turn_bucket (
  level INTEGER NOT NULL,
  period INTEGER NOT NULL,
  kind TEXT NOT NULL, -- duration (of a model's turns), context, tool
  name TEXT NOT NULL,
  low INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (level, period, kind, name, low)
) WITHOUT ROWID;

CREATE INDEX turn_waiting ON turn (ended_at) WHERE success IS NULL;

INSERT INTO turn_total
SELECT level, CASE level WHEN 0 THEN 0 WHEN 1 THEN ended_at - ended_at % 86400000 ELSE ended_at - ended_at % 3600000 END AS period, model,
count(*), sum(success), sum(input), sum(output), sum(cache_read), sum(cache_write), sum(cost_usd),
count(*) FILTER (WHERE cost_usd IS NULL AND model_calls > 0), sum(model_calls), sum(tool_calls), sum(duration_ms), max(context_tokens)
FROM turn CROSS JOIN (SELECT 0 AS level UNION ALL SELECT 1 UNION ALL SELECT 2) WHERE success IS NOT NULL GROUP BY 1, 2, 3;

INSERT INTO turn_bucket
SELECT level, CASE level WHEN 0 THEN 0 WHEN 1 THEN ended_at - ended_at % 86400000 ELSE ended_at - ended_at % 3600000 END AS period, kind, name,
(v >> s) << s AS low, count(*)
FROM (SELECT ended_at, kind, name, v, max(0, 4 * (length(x) - 1) + CASE WHEN substr(x, 1, 1) >= '8' THEN 3 WHEN substr(x, 1, 1) >= '4' THEN 2 WHEN substr(x, 1, 1) >= '2' THEN 1 ELSE 0 END - 6) AS s
FROM (SELECT ended_at, kind, name, v, printf('%x', v) AS x
FROM (SELECT ended_at, 'duration' AS kind, model AS name, duration_ms AS v FROM turn WHERE success IS NOT NULL
UNION ALL SELECT ended_at, 'context', '', context_tokens FROM turn WHERE success IS NOT NULL
UNION ALL SELECT ended_at, 'tool', t.key, CAST(d.value AS INTEGER) FROM turn, json_each(turn.tool_durations) AS t, json_each(t.value) AS d WHERE success IS NOT NULL)))
CROSS JOIN (SELECT 0 AS level UNION ALL SELECT 1 UNION ALL SELECT 2) GROUP BY 1, 2, 3, 4, 5;

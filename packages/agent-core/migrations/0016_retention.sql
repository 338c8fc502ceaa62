-- Retention visits what is due and nothing else (ruling R14). Times are epoch milliseconds.

-- Up to which ended task, in the order of the index `task_ended`, each round of removal has come.
CREATE TABLE retention_cursor (
  round TEXT PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL,
  task TEXT NOT NULL
) WITHOUT ROWID;

-- Turns whose detail is old enough to go and stays, because they are among the newest of their conversation: a few for each
-- conversation. A turn that is added to one pushes its oldest out.
CREATE TABLE kept_detail (
  task TEXT PRIMARY KEY NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX kept_detail_context ON kept_detail (class, context, task);

-- What is kept for 24 hours was looked for by reading all of it.
CREATE INDEX idempotency_age ON idempotency (created_at);
CREATE INDEX kept_answer_age ON kept_answer (created_at);

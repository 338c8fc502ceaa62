-- Sessions: the conversations of the operator class on any surface (document 2 "Session", ruling A16), a reading of the
-- journal that runs behind it. Times are epoch milliseconds.

-- Up to which commit of the journal each reader that writes here has written (ruling R12).
CREATE TABLE reader_cursor (
  reader TEXT PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE session (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,  -- the context
  title TEXT,               -- given by a person; null: the opening stands for it
  opening TEXT NOT NULL,    -- the start of the first message
  origin TEXT NOT NULL,     -- of the first task
  turns INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL,      -- of the task that changed last
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
-- What agents say among themselves is kept, and not listed.
CREATE INDEX session_newest ON session (updated_at, no) WHERE origin NOT IN ('subagent', 'background');

-- A row per task, also after the journal let go of it.
CREATE TABLE session_turn (
  no INTEGER PRIMARY KEY,   -- its row in the search index
  session INTEGER NOT NULL,
  task TEXT NOT NULL,
  origin TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX session_turn_task ON session_turn (session, task);

-- The count is right whoever adds and removes turns, and however often a turn is written.
CREATE TRIGGER session_turn_added AFTER INSERT ON session_turn BEGIN
  UPDATE session SET turns = turns + 1 WHERE no = NEW.session;
END;
CREATE TRIGGER session_turn_removed AFTER DELETE ON session_turn BEGIN
  UPDATE session SET turns = turns - 1 WHERE no = OLD.session;
  DELETE FROM session_text WHERE rowid = OLD.no;
END;

-- Search: a row per turn with what was said to the agent, and under `-session.no` the title. The texts themselves are in
-- the journal; without positions the index weighs a fifth of them.
CREATE VIRTUAL TABLE session_text USING fts5(
  text, content='', contentless_delete=1, detail='none', tokenize='porter unicode61 remove_diacritics 2'
);

-- Versions of the texts in files that instruct the agent: its skills and its persona (document 3 `skills`, `soul`). Times are
-- epoch milliseconds.

CREATE TABLE text_version (
  kind TEXT NOT NULL,            -- skill, soul
  name TEXT NOT NULL,            -- of the skill; blank for the persona
  no INTEGER NOT NULL,           -- counts up with each change of the text
  text TEXT,                     -- NULL: it was deleted
  author TEXT NOT NULL,          -- operator, agent; hand: found in the file
  reason TEXT NOT NULL,
  session TEXT NOT NULL,         -- the conversation it was changed in; blank for none
  task TEXT NOT NULL,
  at INTEGER NOT NULL,
  written INTEGER NOT NULL,      -- 0: the file may not say it yet
  PRIMARY KEY (kind, name, no)
) WITHOUT ROWID;

-- How often the agent or a person began a skill.
CREATE TABLE skill_use (
  name TEXT PRIMARY KEY NOT NULL,
  uses INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) WITHOUT ROWID;

-- Changes that were carried out, by the id of the call that asked for them (ruling R12): a call that a restart makes
-- again changes nothing twice.
CREATE TABLE carried_out (
  call TEXT PRIMARY KEY NOT NULL,
  outcome TEXT NOT NULL, -- JSON
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX carried_out_at ON carried_out (at);

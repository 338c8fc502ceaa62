-- Turns of which no transcript stays once their session ends; few, and gone by the next start of the service.
CREATE TABLE incognito_turn (
  task TEXT PRIMARY KEY NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

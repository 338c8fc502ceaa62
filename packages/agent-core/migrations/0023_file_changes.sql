-- What tools did to files, and how it is taken back. Times are epoch milliseconds.

-- One row per change of a file, written before the file is touched.
CREATE TABLE file_change (
  id TEXT PRIMARY KEY NOT NULL,  -- sorts by time
  call TEXT NOT NULL,            -- blank: no call made it
  task TEXT NOT NULL,
  class TEXT NOT NULL,
  context TEXT NOT NULL,         -- the conversation of the turn, also where a task made it that the turn delegated
  project TEXT NOT NULL,
  root TEXT NOT NULL,            -- real path of the project's folder
  path TEXT NOT NULL,            -- below the root, without links
  op TEXT NOT NULL,              -- create, modify, delete
  origin TEXT NOT NULL,          -- tool, command, undo
  before TEXT,                   -- SHA-256 of what the file held; null: there was none
  after TEXT,                    -- the same of what it holds then
  before_mode INTEGER,
  after_mode INTEGER,
  bytes INTEGER NOT NULL,        -- of the larger one
  added INTEGER NOT NULL,        -- lines
  removed INTEGER NOT NULL,
  state TEXT NOT NULL,           -- intended, done
  reason TEXT NOT NULL,          -- why it cannot be taken back; blank: it can
  undo TEXT NOT NULL,            -- of an undo: its id, shared by the files it took back together; else blank
  undoes TEXT NOT NULL,          -- of an undo: a JSON list of the changes it takes back; else blank
  undone_by TEXT,                -- the change that took this one back
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX file_change_task ON file_change (task, id);
CREATE INDEX file_change_context ON file_change (class, context, id);
CREATE INDEX file_change_project ON file_change (project, id);
CREATE INDEX file_change_intended ON file_change (id) WHERE state = 'intended';
CREATE INDEX file_change_undone ON file_change (undone_by) WHERE undone_by IS NOT NULL;
-- Which images are needed.
CREATE INDEX file_change_image ON file_change (before) WHERE before IS NOT NULL AND reason = '';

-- What files held before they were changed: each content once, in a file named by its digest.
CREATE TABLE file_image (
  digest TEXT PRIMARY KEY NOT NULL,
  bytes INTEGER NOT NULL,        -- on the disk
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX file_image_age ON file_image (at);

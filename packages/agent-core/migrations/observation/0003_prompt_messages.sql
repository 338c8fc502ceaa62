-- The conversation a model call was sent. Each message is kept once: it names the one before it, so that calls of a
-- conversation share what they have in common, and the whole grows with the conversation and not with its square.
CREATE TABLE prompt_message (
  digest TEXT PRIMARY KEY NOT NULL, -- of the message and everything before it
  prior TEXT,                       -- null for the first
  root TEXT NOT NULL,               -- digest of the first
  position INTEGER NOT NULL,        -- 1 for the first
  size INTEGER NOT NULL,            -- characters of body
  body TEXT NOT NULL                -- JSON
);
CREATE INDEX prompt_message_root ON prompt_message (root);

-- The first and the last message of the call; both null where its conversation is not kept.
ALTER TABLE prompt_call ADD COLUMN root TEXT;
ALTER TABLE prompt_call ADD COLUMN head TEXT;
CREATE INDEX prompt_call_root ON prompt_call (root);

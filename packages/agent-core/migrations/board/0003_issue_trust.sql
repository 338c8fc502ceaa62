-- Whether an issue was written, in whole or part, in a conversation with content from outside (ruling G29).
ALTER TABLE issue ADD COLUMN outside INTEGER NOT NULL DEFAULT 0;

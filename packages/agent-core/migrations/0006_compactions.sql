-- Document 3 `compaction`: what a conversation shows begins at its newest compaction. Few conversations have one, so every
-- reading asks a small index.
CREATE INDEX message_compaction ON message (class, context, id) WHERE kind = 'compaction';

-- Where conversations hold text of memories, so that forgetting finds it without reading everything (K12).
CREATE INDEX message_recalled ON message (id) WHERE kind = 'recalled';
CREATE INDEX call_of_memory ON call (id) WHERE name IN ('memory_recall', 'memory_list', 'forget_memory');

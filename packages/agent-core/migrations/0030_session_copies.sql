-- Tools that show text of other conversations leave copies too (K12).
DROP INDEX call_of_memory;
CREATE INDEX call_of_memory ON call (id)
  WHERE name IN ('memory_recall', 'memory_list', 'forget_memory', 'session_search', 'recall_session');

-- Listing tasks, newest status first (A2A 1.0 "ListTasks"). `updated_at` is when the state last changed.
--
-- Every task pays for an index, so this one holds only what has ended: an entry is written once, at the end of the task
-- and at the end of the tree, and costs about 50 bytes. Tasks at work are few and are found by `task_open`. Class,
-- context and state are read from the rows, which lie in nearly the same order (ids sort by time): 10,000 of them, the
-- most one page looks at, take 4 ms among a million tasks. An index that covers them reads in 2 ms and weighs twice.
CREATE INDEX task_ended ON task (updated_at, id) WHERE state IN ('completed', 'failed', 'canceled');

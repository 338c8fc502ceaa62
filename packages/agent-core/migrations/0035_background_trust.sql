-- 1: the conversation that spawned the job held content from outside then, and so may its prompt (ruling K8).
ALTER TABLE background_job ADD COLUMN outside INTEGER NOT NULL DEFAULT 0;

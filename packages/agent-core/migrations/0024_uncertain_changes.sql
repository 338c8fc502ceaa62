-- 1: a command ran while another one did, or while the service went down, so something else may have made the change.
ALTER TABLE file_change ADD COLUMN uncertain INTEGER NOT NULL DEFAULT 0;

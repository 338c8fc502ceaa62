-- What a process is about to write to a file of the commons, as a digest: one that ends before it notes the file's version
-- leaves a file that the next one knows as its own. Blank: nothing.
ALTER TABLE commons_copy ADD COLUMN writing TEXT NOT NULL DEFAULT '';

-- What an attempt that has not ended needs besides its job (JSON): the text it was sent elsewhere with, which is sent again under
-- the same key, or why the check before it could not be made. Null once it has ended.
ALTER TABLE schedule_run ADD COLUMN notes TEXT;

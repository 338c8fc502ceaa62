-- The reasoning effort a model call was sent with; null: none, so the provider's own.
ALTER TABLE prompt_call ADD COLUMN effort TEXT;

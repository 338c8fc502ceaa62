-- Ruling V1: a message of a session goes to the prompt that has waited longest there. Prompts that wait are few, but a
-- parked task does not expire, so they add up; answered ones leave the index.
CREATE INDEX prompt_waiting ON prompt (class, context, created_at) WHERE state = 'pending';

-- Decisions of people about memories that waited (K8): what was rejected and comes again is found among the newest of these.
CREATE INDEX chunk_rejected ON chunk (id) WHERE review = 'rejected' AND removed_at IS NULL;

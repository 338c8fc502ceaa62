-- Found by meaning is only what was accepted and belongs to no conversation: attachments have no vectors.
DROP INDEX chunk_embedded;
CREATE INDEX chunk_embedded ON chunk (embedded, id)
  WHERE invalidated_at IS NULL AND removed_at IS NULL AND namespace = '' AND review = 'accepted';
DELETE FROM vector WHERE chunk IN (SELECT id FROM chunk WHERE namespace <> '');

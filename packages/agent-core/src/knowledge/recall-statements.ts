import { namedStatement } from "../database/index.ts";
import { COLUMNS, LIVE_IN_CONVERSATION, LIVE_WITH_COMMONS } from "./chunk-statements.ts";

/** Most chunks with a word that are counted: a word with more says little. */
export const COMMON = 2_000;

const STANDS = "review = 'accepted' AND invalidated_at IS NULL";
const SHOWN = `${LIVE_WITH_COMMONS} AND ${STANDS}`;

/** The statements that recall reads with. */
export const recallStatements = () => ({
  count: namedStatement("SELECT chunks FROM chunk_count"),
  always: namedStatement(
    `SELECT ${COLUMNS} FROM chunk WHERE policy = 'always' AND removed_at IS NULL AND ${SHOWN} ORDER BY id DESC LIMIT :limit`,
  ),
  /** How many chunks have each of some words. */
  occurrences: namedStatement(
    `SELECT term.value, (SELECT count(*) FROM (SELECT rowid FROM chunk_text WHERE chunk_text MATCH term.value LIMIT ${COMMON}))
     FROM json_each(:terms) AS term`,
  ),
  candidates: namedStatement(
    `SELECT ${COLUMNS} FROM chunk_text JOIN chunk ON chunk.id = chunk_text.rowid
     WHERE chunk_text MATCH :query AND policy = 'retrieved' AND ${LIVE_IN_CONVERSATION} AND ${STANDS}
     ORDER BY bm25(chunk_text, 2.0, 1.0), chunk.id DESC LIMIT :limit`,
  ),
  byIds: namedStatement(
    `SELECT ${COLUMNS} FROM chunk WHERE id IN (SELECT value FROM json_each(:ids)) AND policy = 'retrieved' AND ${SHOWN}`,
  ),
  /** Which of some chunks have which of some words. */
  matches: namedStatement(
    `SELECT found.value, term.value FROM json_each(:ids) AS found, json_each(:terms) AS term
     WHERE EXISTS (SELECT 1 FROM chunk_text WHERE chunk_text MATCH term.value AND rowid = found.value)`,
  ),
});

/** The statements of captured prompts. */
import { namedStatement } from "../database/index.ts";
import { CALL_COLUMNS } from "./prompt-report.ts";

const COLUMNS = [
  ...["task", "step", "class", "context", "at", "model", "stable", "volatile"],
  ...["sections", "usage", "root", "head", "effort"],
];
// Each row is parsed once and then looked into, which takes two thirds of looking into its text for each column.
export const insert = namedStatement(
  `WITH given AS MATERIALIZED (SELECT jsonb(value) AS row FROM json_each(:rows)) INSERT INTO prompt_call (${COLUMNS.join(", ")}) SELECT ${COLUMNS.map((_, i) => `row ->> ${i}`).join(", ")} FROM given`,
);
export const insertText = namedStatement(
  "INSERT INTO prompt_text (digest, text) VALUES (:digest, :text) ON CONFLICT DO NOTHING",
);
export const trimCount = namedStatement(
  "DELETE FROM prompt_call WHERE id <= (SELECT id FROM prompt_call ORDER BY id DESC LIMIT 1 OFFSET :keep)",
);
export const trimAge = namedStatement("DELETE FROM prompt_call WHERE at < :before");
export const trimTexts = namedStatement(
  "DELETE FROM prompt_text WHERE NOT EXISTS (SELECT 1 FROM prompt_call WHERE stable = digest)",
);
const FROM = "FROM prompt_call JOIN prompt_text ON digest = stable";
export const ofTask = namedStatement(`SELECT ${CALL_COLUMNS} ${FROM} WHERE task = :task ORDER BY step, id LIMIT 500`);
export const newest = namedStatement(`SELECT ${CALL_COLUMNS} ${FROM} ORDER BY id DESC LIMIT 1`);
export const newestOf = namedStatement(
  `SELECT ${CALL_COLUMNS} ${FROM} WHERE context = :context ORDER BY id DESC LIMIT 1`,
);
export const before = namedStatement(
  "SELECT task FROM prompt_call WHERE context = (SELECT context FROM prompt_call WHERE task = :task LIMIT 1) AND id < (SELECT min(id) FROM prompt_call WHERE task = :task) ORDER BY id DESC LIMIT 1",
);
export const forget = namedStatement("DELETE FROM prompt_call WHERE context = :context");
export const forgetTasks = namedStatement(
  "DELETE FROM prompt_call WHERE task IN (SELECT value FROM json_each(:tasks))",
);
export const kept = namedStatement("SELECT count(*), min(at), max(at) FROM prompt_call");

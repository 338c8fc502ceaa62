/**
 * Looks through what a search found for secrets. The index holds messages as they were sent, so a word that is part of a
 * secret finds them; what is found would tell it piece by piece (S5).
 */
import { type Database, namedStatement, type Row } from "../database/index.ts";
import type { Redactor } from "../redaction/index.ts";
import { searchWords, wordsIn } from "./search-query.ts";
import { SEARCHED_CHARS } from "./session-row.ts";

/** Matches of a search that are looked at, the newest: whatever is searched for among however many, it takes no longer. */
export const MAX_MATCHES = 4_000;
/** Turns that hold messages with the words. */
export const SAID = `SELECT rowid AS no FROM session_text WHERE session_text MATCH :query AND rowid > 0 ORDER BY rowid DESC LIMIT ${MAX_MATCHES}`;
/** Turns of one conversation that are looked through, the newest that hold the words. */
const MOST_TURNS = 20;

const TURNS = namedStatement(
  `WITH said AS (${SAID}) SELECT coalesce(whole.no, part.no), t.task
FROM said CROSS JOIN session_turn AS t ON t.no = said.no CROSS JOIN session AS part ON part.no = t.session
LEFT JOIN session AS whole ON whole.id = part.version_of
WHERE coalesce(whole.no, part.no) IN (SELECT value FROM json_each(:sessions)) ORDER BY said.no DESC`,
);
/** Titles that hold the words. */
export const TITLED = `SELECT rowid AS no FROM session_text WHERE session_text MATCH :query AND rowid < 0 ORDER BY rowid LIMIT ${MAX_MATCHES}`;
const TITLES = namedStatement(
  `WITH titled AS (${TITLED}) SELECT s.no, coalesce(s.title, s.headline) FROM titled CROSS JOIN session AS s ON s.no = -titled.no
WHERE s.no IN (SELECT value FROM json_each(:sessions))`,
);
const WORDS = `group_concat(substr(part.value ->> 'text', 1, ${SEARCHED_CHARS}), char(10))`;
const TEXTS = namedStatement(
  `SELECT e.task, ${WORDS} FROM json_each(:tasks) AS j CROSS JOIN event AS e ON e.task = j.value
CROSS JOIN json_each(CASE e.kind WHEN 'task.accepted' THEN json_array(e.body -> '$.input')
WHEN 'prompt.answered' THEN json_array(e.body -> '$.answer') ELSE e.body -> '$.inputs' END) AS message
CROSS JOIN json_each(message.value, '$.parts') AS part
WHERE e.kind IN ('task.accepted', 'prompt.answered', 'input.consumed') AND part.value ->> 'kind' = 'text' GROUP BY e.task`,
);
/** Of turns whose events were removed. */
const KEPT_TEXTS = namedStatement(
  `SELECT m.task, ${WORDS} FROM json_each(:tasks) AS j CROSS JOIN task ON task.id = j.value
CROSS JOIN message AS m ON m.class = task.class AND m.context = task.context AND m.task = task.id
CROSS JOIN json_each(m.body, '$.content') AS part WHERE m.kind = 'user' GROUP BY m.task`,
);

/** A search, and where it is looked through. */
export interface ShownMatchesOptions {
  readonly db: Database;
  readonly redactor: Pick<Redactor, "text">;
  /** What was searched for, as a person wrote it, and as the index is asked for it. */
  readonly search: string;
  readonly query: string;
}

/** Of the sessions that a search found, as rows that begin with their numbers, those that hold the words where people see them. */
export async function shownMatches(
  rows: readonly Row[],
  { db, redactor, search, query }: ShownMatchesOptions,
): Promise<readonly Row[]> {
  if (rows.length === 0) return rows;
  const shown = new Set<number>();
  const sessions = rows.map(([no]) => Number(no));
  const of = { query, sessions: JSON.stringify(sessions) };
  for (const [no, title] of await db.read(TITLES.bind(of), "long")) {
    if (isShown(String(title), search, redactor)) shown.add(Number(no));
  }
  const turns = new Map<number, string[]>();
  for (const [no, task] of await db.read(TURNS.bind(of), "long")) {
    const known = turns.get(Number(no)) ?? [];
    turns.set(Number(no), known);
    if (known.length < MOST_TURNS) known.push(String(task));
  }
  for (let at = 0; at < MOST_TURNS; at++) {
    const open = [...turns].flatMap(([no, tasks]) => {
      const task = tasks[at];
      return shown.has(no) || task === undefined ? [] : [{ no, task }];
    });
    if (open.length === 0) break;
    const texts = await textsOf(
      db,
      open.map(({ task }) => task),
    );
    for (const { no, task } of open) if (isShown(texts.get(task) ?? "", search, redactor)) shown.add(no);
  }
  return rows.filter(([no]) => shown.has(Number(no)));
}

async function textsOf(db: Database, tasks: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const read = async (statement: typeof TEXTS, of: readonly string[]): Promise<void> => {
    if (of.length === 0) return;
    for (const [task, text] of await db.read(statement.bind({ tasks: JSON.stringify(of) }), "long")) {
      if (typeof text === "string") texts.set(String(task), text);
    }
  };
  await read(TEXTS, tasks);
  await read(
    KEPT_TEXTS,
    tasks.filter((task) => !texts.has(task)),
  );
  return texts;
}

/**
 * Whether a text that the index found is to be found. In one with secrets the words have to stand as they were searched for:
 * which other forms of a word the index took for it is not known here.
 */
function isShown(text: string, search: string, redactor: Pick<Redactor, "text">): boolean {
  const redacted = redactor.text(text);
  if (redacted === text) return true;
  const words = new Set(wordsIn(redacted).map(folded));
  return searchWords(search).every((word) => words.has(folded(word)));
}

/** Without case and accents. */
function folded(word: string): string {
  return word
    .normalize("NFKD")
    .replaceAll(/\p{Mn}+/gu, "")
    .toLowerCase();
}

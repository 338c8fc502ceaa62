/** Finds tasks by the words of what was asked and answered. */
import { type Database, namedStatement } from "../database/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { PageRequest, TaskCursor, TaskPage } from "./list-tasks.ts";

/** Tasks whose texts are read at a time. */
const READ_AT_ONCE = 500;
/** Tasks that one page looks at. */
const MOST_EXAMINED = 2_000;
/** Further words of a search are ignored. */
const MOST_WORDS = 16;
/** Characters of a message, and of an answer, that are searched. */
const SEARCHED_CHARS = 4_096;
/** Events of more bytes are not read. */
const MOST_BYTES = 256 * 1024;

const text = (parts: string): string =>
  `(SELECT group_concat(substr(part.value ->> 'text', 1, ${SEARCHED_CHARS}), char(10))
FROM json_each(event.body, '${parts}') AS part WHERE part.value ->> 'kind' = 'text')`;
/** An answer is written in the commit that ends its task, so it is among the newest events. */
const TEXTS = namedStatement(
  `WITH asked AS (SELECT task.id, task.seq FROM json_each(:tasks) AS one CROSS JOIN task ON task.id = one.value
WHERE NOT EXISTS (SELECT 1 FROM incognito_turn WHERE incognito_turn.task = task.id))
SELECT id, ${text("$.input.parts")} FROM asked CROSS JOIN event ON event.task = id AND event.seq = 1
WHERE event.kind = 'task.accepted' AND octet_length(event.body) <= ${MOST_BYTES}
UNION ALL SELECT id, ${text("$.parts")} FROM asked CROSS JOIN event ON event.task = id AND event.seq >= asked.seq - 3
WHERE event.kind = 'answer' AND octet_length(event.body) <= ${MOST_BYTES}`,
);

/** A page of tasks that a search found. */
export interface TaskSearchPage {
  /** At most `limit`; fewer, or none, do not mean the end: `next` does. */
  readonly cursors: readonly TaskCursor[];
  /** Where to look further; absent: every task was looked at. */
  readonly next?: TaskCursor;
}

/** Lists the tasks to look at, a page at a time. */
export type ListPage = (page: Pick<PageRequest, "limit" | "after">) => Promise<Pick<TaskPage, "cursors" | "next">>;

/**
 * Returns a page of the listed tasks whose message and answer together hold all words of a search, as parts of words too,
 * whatever their case and accents. Looks at the texts of 2,000 tasks at most, the newest first. Incognito tasks are never
 * found, and none by a part of a secret: what is found would tell it letter by letter (S5).
 * @throws DatabaseError
 */
export async function searchTasks(
  store: { readonly db: Database; readonly redactor: Pick<Redactor, "text"> },
  list: ListPage,
  search: string,
  { limit, after }: Pick<PageRequest, "limit" | "after">,
): Promise<TaskSearchPage> {
  const words = wordsOf(search);
  if (words.length === 0) return { cursors: [] };
  const found: TaskCursor[] = [];
  let from = after;
  for (let examined = 0; examined < MOST_EXAMINED; examined += READ_AT_ONCE) {
    const page = await list({ limit: READ_AT_ONCE, ...(from && { after: from }) });
    const texts = await textsOf(store.db, page.cursors);
    for (const cursor of page.cursors) {
      const text = texts.get(cursor.id);
      // First as it is: few texts hold the words, and only those are looked through for secrets.
      if (text === undefined || !holdsAll(text, words) || !holdsAll(store.redactor.text(text), words)) continue;
      if (found.length === limit) return { cursors: found, next: found.at(-1)! };
      found.push(cursor);
    }
    if (page.next === undefined) return { cursors: found };
    from = page.next;
  }
  return { cursors: found, ...(from && { next: from }) };
}

async function textsOf(db: Database, cursors: readonly TaskCursor[]): Promise<ReadonlyMap<string, string>> {
  const tasks = JSON.stringify(cursors.map(({ id }) => id));
  const texts = new Map<string, string>();
  for (const [id, found] of await db.read(TEXTS.bind({ tasks }), "long")) {
    if (typeof found === "string") texts.set(String(id), `${texts.get(String(id)) ?? ""}\n${found}`);
  }
  return texts;
}

function wordsOf(search: string): readonly string[] {
  return folded(search.slice(0, 1_000)).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
}

function holdsAll(text: string, words: readonly string[]): boolean {
  const lower = folded(text);
  return words.every((word) => lower.includes(word));
}

/** Beyond ASCII. */
const OTHER = /[\u0080-\uffff]/;

/** Without case and accents. */
function folded(text: string): string {
  // Nearly every text is plain, and decomposing one takes ten times as long.
  if (!OTHER.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replaceAll(/\p{Mn}+/gu, "")
    .toLowerCase();
}

/** What the files of summaries say, in a store of its own: to be listed by pages and searched. */
import { IndexMerge, type LazyStore, namedStatement, type Row, type Statement } from "../database/index.ts";
import { indexedText, matchQuery } from "../knowledge/index.ts";
import type { SessionSummary, SummarySurface } from "./session-summary.ts";

/** A summary in a list. */
export interface SummaryEntry {
  readonly no: number;
  readonly session: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly surface: SummarySurface;
  readonly topic: string;
  readonly messages: number;
  /** Of the file. */
  readonly bytes: number;
  /** It holds content from outside. */
  readonly outside: boolean;
}

/** Where a page ended. */
export type SummaryCursor = Pick<SummaryEntry, "at" | "no">;

const NEWEST: SummaryCursor = { at: Number.MAX_SAFE_INTEGER, no: Number.MAX_SAFE_INTEGER };
/** Characters that are searched. */
const MOST_WORDS = 32_000;
const COLUMNS = "s.no, s.session, s.at, s.surface, s.topic, s.messages, s.bytes, s.outside";

const statements = () => ({
  write: namedStatement(
    `INSERT INTO summary (session, at, surface, topic, messages, bytes, outside, words)
     VALUES (:session, :at, :surface, :topic, :messages, :bytes, :outside, :words)
     ON CONFLICT (session) DO UPDATE SET at = excluded.at, surface = excluded.surface, topic = excluded.topic,
     messages = excluded.messages, bytes = excluded.bytes, outside = excluded.outside, words = excluded.words`,
  ),
  remove: namedStatement("DELETE FROM summary WHERE session = :session"),
  list: namedStatement(
    `SELECT ${COLUMNS} FROM summary AS s WHERE (s.at, s.no) < (:at, :no) ORDER BY s.at DESC, s.no DESC LIMIT :limit`,
  ),
  find: namedStatement(`SELECT ${COLUMNS} FROM summary AS s WHERE s.session = :session`),
  search: namedStatement(
    `SELECT ${COLUMNS}, snippet(summary_text, 0, '', '', ' … ', 32) FROM summary_text
     CROSS JOIN summary AS s ON s.no = summary_text.rowid
     WHERE summary_text MATCH :query AND s.session <> :except AND (:surface = '' OR s.surface = :surface)
     ORDER BY bm25(summary_text), s.at DESC LIMIT :limit`,
  ),
  mark: namedStatement("SELECT at FROM summary_mark"),
  setMark: namedStatement(
    "INSERT INTO summary_mark (id, at) VALUES (1, :at) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
  ),
});

export interface SummarySearch {
  readonly text: string;
  /** A conversation that is not looked in. */
  readonly except: string;
  /** Blank: any. */
  readonly surface: string;
  readonly limit: number;
}

export class SummaryIndex {
  readonly #store: LazyStore;
  readonly #sql = statements();
  readonly #merge: IndexMerge;

  constructor(store: LazyStore) {
    this.#store = store;
    this.#merge = new IndexMerge(() => store.get(), {
      index: "summary_text",
      columns: ["words"],
      counts: "summary_count",
    });
  }

  /** @throws DatabaseError */
  async write(
    written: readonly { readonly summary: SessionSummary; readonly bytes: number }[],
    mark: number,
  ): Promise<void> {
    const rows = written.map(({ summary, bytes }): Statement => {
      const { session_id: session, timestamp, surface, topic, message_count: messages, outside } = summary;
      const at = Date.parse(timestamp);
      return this.#sql.write.bind({
        ...{ session, at, surface, topic, messages, bytes, outside: outside ? 1 : 0, words: wordsOf(summary) },
      });
    });
    const db = await this.#store.get();
    const statements = [...rows, this.#sql.setMark.bind({ at: mark })];
    // What it replaces may stay in the index and the log until its conversation is forgotten.
    await db.commit({ label: "memory.summaries", statements });
  }

  /** Resolves once no word of it is in the store's file. @throws DatabaseError */
  async remove(session: string): Promise<void> {
    const db = await this.#store.get();
    const statement = this.#sql.remove.bind({ session });
    await db.commit({ label: "memory.forgotten", statements: [statement], overwrite: true });
    await this.#merge.clean();
  }

  /** Takes out what a removal that was cut off left. @throws DatabaseError */
  clean(): Promise<void> {
    return this.#merge.clean();
  }

  /** Newest first. @throws DatabaseError */
  async list(limit: number, after: SummaryCursor = NEWEST): Promise<readonly SummaryEntry[]> {
    const db = await this.#store.get();
    const { at, no } = after;
    return (await db.read(this.#sql.list.bind({ at, no, limit }))).map(entryOf);
  }

  async find(session: string): Promise<SummaryEntry | undefined> {
    const db = await this.#store.get();
    return (await db.read(this.#sql.find.bind({ session }))).map(entryOf)[0];
  }

  /** Those that fit best first, with the words around what was found. */
  async search({ text, ...where }: SummarySearch): Promise<readonly (SummaryEntry & { readonly around: string })[]> {
    const query = matchQuery(text);
    if (query === undefined) return [];
    const db = await this.#store.get();
    const rows = await db.read(this.#sql.search.bind({ query, ...where }), "long");
    return rows.map((row) => ({ ...entryOf(row), around: String(row[8]) }));
  }

  /** Every conversation that ended a turn before has its summary; undefined: none was ever written. */
  async mark(): Promise<number | undefined> {
    const db = await this.#store.get();
    const [row] = await db.read(this.#sql.mark.bind({}));
    return row === undefined ? undefined : Number(row[0]);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

function wordsOf({ topic, messages }: SessionSummary): string {
  const newest: string[] = [];
  let room = MOST_WORDS;
  for (const { text } of messages.toReversed()) {
    newest.unshift(text.slice(0, room).toWellFormed());
    room -= text.length;
    if (room <= 0) break;
  }
  const text = [topic, ...newest].join("\n");
  return indexedText(text) ?? text;
}

function entryOf([no, session, at, surface, topic, messages, bytes, outside]: Row): SummaryEntry {
  return {
    ...{ no: Number(no), session: String(session), at: Number(at), surface: String(surface) as SummarySurface },
    ...{ topic: String(topic), messages: Number(messages), bytes: Number(bytes), outside: outside === 1 },
  };
}

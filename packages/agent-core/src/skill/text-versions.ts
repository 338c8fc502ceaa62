/** The versions of texts in files, in a store of their own (KM10). */
import type { Clock } from "../clock/index.ts";
import { commitIfExpected, type LazyStore, namedStatement, type Row, storableText } from "../database/index.ts";

export type VersionedKind = "skill" | "soul";
/** `hand`: somebody changed the file. */
export type VersionAuthor = "operator" | "agent" | "hand";

/** Who changes a text, and why. */
export interface TextChange {
  readonly author: VersionAuthor;
  readonly reason: string;
  /** The conversation and the task it is changed in; blank for none. */
  readonly session?: string;
  readonly task?: string;
  /** A change under the same one is made once. */
  readonly call?: string | undefined;
}

/** A version, without its text. */
export interface TextVersion {
  readonly no: number;
  readonly author: VersionAuthor;
  readonly reason: string;
  readonly session: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Characters; undefined: the text was deleted. */
  readonly chars: number | undefined;
}

/** The newest version of a text. */
export interface NewestVersion {
  readonly no: number;
  /** Undefined: it was deleted. */
  readonly text: string | undefined;
  /** Whether the file says it. */
  readonly written: boolean;
}

export interface TextVersionsOptions {
  /** The store with the schema `skills`. */
  readonly store: LazyStore;
  readonly clock: Pick<Clock, "now">;
}

/** Versions of a text that stay. */
export const KEPT_VERSIONS = 50;
/** How long calls that were carried out are remembered; no task stays open without its store for longer. */
const REMEMBERED_MS = 90 * 86_400_000;

const OF = "kind = :kind AND name = :name";
const statements = () => ({
  carriedOut: namedStatement("SELECT outcome FROM carried_out WHERE call = :call"),
  remember: namedStatement("INSERT INTO carried_out (call, outcome, at) SELECT :call, :outcome, :at WHERE :call <> ''"),
  forgetCalls: namedStatement(
    "DELETE FROM carried_out WHERE call IN (SELECT call FROM carried_out WHERE at < :before ORDER BY at LIMIT 100)",
  ),
  add: namedStatement(
    `INSERT INTO text_version (kind, name, no, text, author, reason, session, task, at, written)
     SELECT :kind, :name, coalesce((SELECT max(no) FROM text_version WHERE ${OF}), 0) + 1, :text, :author, :reason,
       :session, :task, :at, :written
     WHERE NOT EXISTS (SELECT 1 FROM carried_out WHERE call = :call AND :call <> '')`,
  ),
  trim: namedStatement(
    `DELETE FROM text_version WHERE ${OF} AND no <= (SELECT max(no) FROM text_version WHERE ${OF}) - ${KEPT_VERSIONS}`,
  ),
  written: namedStatement(`UPDATE text_version SET written = 1 WHERE ${OF} AND no <= :no AND written = 0`),
  newest: namedStatement(
    `SELECT name, no, text, written FROM text_version AS one WHERE kind = :kind AND name > :after
       AND no = (SELECT max(no) FROM text_version WHERE kind = :kind AND name = one.name) ORDER BY name LIMIT 200`,
  ),
  newestNo: namedStatement(`SELECT max(no) FROM text_version WHERE ${OF}`),
  list: namedStatement(
    `SELECT no, author, reason, session, at, length(text) FROM text_version WHERE ${OF} ORDER BY no DESC LIMIT ${KEPT_VERSIONS}`,
  ),
  /** Texts that a conversation changed and that are there. */
  changedIn: namedStatement(
    `SELECT DISTINCT name FROM text_version AS one WHERE kind = :kind AND session = :session AND author = 'agent'
       AND (SELECT text FROM text_version WHERE kind = :kind AND name = one.name ORDER BY no DESC LIMIT 1) IS NOT NULL
     ORDER BY name LIMIT 1000`,
  ),
  read: namedStatement(`SELECT text FROM text_version WHERE ${OF} AND no = :no`),
  uses: namedStatement("SELECT name, uses, used_at FROM skill_use ORDER BY used_at DESC LIMIT 10000"),
  use: namedStatement(
    `INSERT INTO skill_use (name, uses, used_at) VALUES (:name, :count, :at)
     ON CONFLICT (name) DO UPDATE SET uses = uses + excluded.uses, used_at = max(used_at, excluded.used_at)`,
  ),
});

export class TextVersions {
  readonly #options: TextVersionsOptions;
  readonly #sql = statements();

  constructor(options: TextVersionsOptions) {
    this.#options = options;
  }

  close(): Promise<void> {
    return this.#options.store.close();
  }

  /** What a call came to that was carried out before; undefined: it was not. @throws DatabaseError */
  async carriedOut(call: string | undefined): Promise<unknown> {
    if (call === undefined) return undefined;
    const db = await this.#options.store.get();
    const [row] = await db.read(this.#sql.carriedOut.bind({ call }));
    return row === undefined ? undefined : JSON.parse(String(row[0]));
  }

  /**
   * Adds a version. `text` undefined: the text is deleted. `outcome` is what a repetition of the call is answered.
   * @returns its number @throws DatabaseError
   */
  async add(
    kind: VersionedKind,
    name: string,
    {
      text,
      written,
      change,
      outcome,
    }: {
      readonly text: string | undefined;
      readonly written: boolean;
      readonly change: TextChange;
      readonly outcome?: (no: number) => unknown;
    },
  ): Promise<number> {
    const db = await this.#options.store.get();
    const at = this.#options.clock.now();
    const { author, reason, session = "", task = "", call = "" } = change;
    const of = { kind, name };
    const [last] = await db.read(this.#sql.newestNo.bind(of));
    const no = Number(last?.[0] ?? 0) + 1;
    await db.commit({
      label: "skills.version",
      expect: this.#sql.add.bind({
        ...{ ...of, author, session, task, call, at },
        ...{ text: text ?? null, reason: storableText(reason), written: written ? 1 : 0 },
      }),
      statements: [
        this.#sql.remember.bind({ call, at, outcome: JSON.stringify(outcome?.(no) ?? null) }),
        this.#sql.trim.bind(of),
        this.#sql.forgetCalls.bind({ before: at - REMEMBERED_MS }),
      ],
    });
    return no;
  }

  /** The file says a version, and none before it counts any more. @throws DatabaseError */
  async setWritten(kind: VersionedKind, name: string, no: number): Promise<void> {
    const db = await this.#options.store.get();
    // Where it was written before, nothing is expected.
    const expect = this.#sql.written.bind({ kind, name, no });
    await commitIfExpected(db, { label: "skills.written", expect, statements: [] });
  }

  /** The newest version of each text, by name. @throws DatabaseError */
  async newest(kind: VersionedKind): Promise<Map<string, NewestVersion>> {
    const db = await this.#options.store.get();
    const all = new Map<string, NewestVersion>();
    for (let after: string | undefined = ""; after !== undefined; ) {
      const rows: readonly Row[] = await db.read(this.#sql.newest.bind({ kind, after }), "long");
      for (const [name, no, text, written] of rows)
        all.set(String(name), {
          no: Number(no),
          text: text == null ? undefined : String(text),
          written: written === 1,
        });
      after = rows.length === 0 ? undefined : String(rows.at(-1)?.[0]);
    }
    return all;
  }

  /** Newest first. @throws DatabaseError */
  async list(kind: VersionedKind, name: string): Promise<readonly TextVersion[]> {
    const db = await this.#options.store.get();
    const rows = await db.read(this.#sql.list.bind({ kind, name }));
    return rows.map(([no, author, reason, session, at, chars]) => ({
      ...{ no: Number(no), author: String(author) as VersionAuthor, reason: String(reason), session: String(session) },
      ...{ at: Number(at), chars: chars == null ? undefined : Number(chars) },
    }));
  }

  /** Names of texts that the agent changed in a conversation and that are there. @throws DatabaseError */
  async changedIn(kind: VersionedKind, session: string): Promise<readonly string[]> {
    const db = await this.#options.store.get();
    const rows = await db.read(this.#sql.changedIn.bind({ kind, session }), "long");
    return rows.map(([name]) => String(name));
  }

  /** Its text; undefined: there is no such version, or it is a deletion. @throws DatabaseError */
  async read(kind: VersionedKind, name: string, no: number): Promise<string | undefined> {
    const db = await this.#options.store.get();
    const [row] = await db.read(this.#sql.read.bind({ kind, name, no }));
    return row?.[0] == null ? undefined : String(row[0]);
  }

  /** How often skills were begun. @throws DatabaseError */
  async uses(): Promise<Map<string, { count: number; at: number }>> {
    const db = await this.#options.store.get();
    const rows = await db.read(this.#sql.uses.bind({}), "long");
    return new Map(rows.map(([name, count, at]) => [String(name), { count: Number(count), at: Number(at) }]));
  }

  /** @throws DatabaseError */
  async addUses(uses: ReadonlyMap<string, { readonly count: number; readonly at: number }>): Promise<void> {
    const db = await this.#options.store.get();
    await db.commit({
      label: "skills.uses",
      statements: [...uses].map(([name, { count, at }]) => this.#sql.use.bind({ name, count, at })),
    });
  }
}

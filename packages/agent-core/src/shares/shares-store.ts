import { commitIfExpected, type Database, namedStatement, type Row } from "../database/index.ts";
import type { CallTexts, ShareInclude } from "./shared-copy.ts";

/** A share as operators see it. Times are epoch milliseconds. */
export interface Share {
  readonly id: string;
  readonly session: string;
  /** The run; undefined: the whole session. */
  readonly task: string | undefined;
  readonly title: string;
  readonly include: ShareInclude;
  /** Of the page. */
  readonly bytes: number;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A share as it is stored. */
export interface NewShare extends Share {
  /** SHA-256 of the link's secret, hex. */
  readonly link: string;
  /** SHA-256 of the request's idempotency key, or the id. */
  readonly source: string;
  readonly class: string;
  /** Tasks that the copy shows. */
  readonly tasks: readonly string[];
  readonly page: string;
}

/** A shared page. */
export interface SharedPage {
  readonly title: string;
  readonly page: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Characters of a call's arguments and of its result that are read. */
const CALL_CHARS = 65_536;

const ITS_TASKS = "SELECT value FROM json_each(:tasks)";
const LOST_TASK = "EXISTS (SELECT 1 FROM json_each(share.tasks) WHERE value NOT IN (SELECT id FROM task))";
const INCOGNITO = `SELECT 1 FROM incognito_turn WHERE (class = :class AND context = :session) OR task IN (${ITS_TASKS})`;
const COLUMNS = "id, session, task, title, included, bytes, created_at, expires_at";

const statements = () => ({
  // What is being deleted or is incognito meanwhile is not shared: it is looked at in the same transaction.
  insert: namedStatement(
    `INSERT INTO share (${COLUMNS}, link, source, tasks, page)
     SELECT :id, :session, :task, :title, :included, :bytes, :createdAt, :expiresAt, :link, :source, :tasks, :page
     WHERE (SELECT count(*) FROM share) < :most
       AND NOT EXISTS (SELECT 1 FROM share WHERE source = :source)
       AND NOT EXISTS (SELECT 1 FROM session_deletion WHERE context = :session)
       AND NOT EXISTS (SELECT 1 FROM json_each(:tasks) WHERE value NOT IN (SELECT id FROM task))
       AND NOT EXISTS (${INCOGNITO})`,
  ),
  incognito: namedStatement(`${INCOGNITO} LIMIT 1`),
  bySource: namedStatement("SELECT 1 FROM share WHERE source = :source"),
  count: namedStatement("SELECT count(*) FROM share"),
  list: namedStatement(`SELECT ${COLUMNS} FROM share WHERE expires_at > :now ORDER BY created_at DESC, id DESC`),
  page: namedStatement(
    `SELECT title, page, created_at, expires_at FROM share WHERE link = :link AND expires_at > :now AND NOT ${LOST_TASK}`,
  ),
  known: namedStatement("SELECT 1 FROM share WHERE id = :id AND expires_at > :now"),
  remove: namedStatement("DELETE FROM share WHERE id = :id"),
  removeSession: namedStatement("DELETE FROM share WHERE session = :session"),
  removeTasks: namedStatement(
    `DELETE FROM share WHERE EXISTS (SELECT 1 FROM json_each(share.tasks) WHERE value IN (${ITS_TASKS}))`,
  ),
  removeExpired: namedStatement(`DELETE FROM share WHERE expires_at <= :now OR ${LOST_TASK}`),
  anyExpired: namedStatement(`SELECT 1 FROM share WHERE expires_at <= :now OR ${LOST_TASK} LIMIT 1`),
  calls: namedStatement(
    `SELECT id, substr(args, 1, :most), substr(result, 1, :most) FROM call WHERE task IN (${ITS_TASKS})`,
  ),
});

/** Stores shares. */
export class SharesStore {
  readonly #db: Database;
  readonly #sql = statements();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Adds a share where there are fewer than `most`. False: it was not added. @throws DatabaseError */
  async add({ include, task, tasks, ...share }: NewShare, most: number): Promise<boolean> {
    const included = JSON.stringify(include);
    const values = { ...share, task: task ?? null, tasks: JSON.stringify(tasks), included, most };
    return commitIfExpected(this.#db, { label: "shares.add", expect: this.#sql.insert.bind(values), statements: [] });
  }

  /** Whether something of a conversation, or one of these tasks, is incognito. */
  async isIncognito(of: { class: string; session: string; tasks: readonly string[] }): Promise<boolean> {
    const { class: owner, session, tasks } = of;
    const values = { class: owner, session, tasks: JSON.stringify(tasks) };
    const rows = await this.#db.read(this.#sql.incognito.bind(values));
    return rows.length > 0;
  }

  async hasSource(source: string): Promise<boolean> {
    return (await this.#db.read(this.#sql.bySource.bind({ source }))).length > 0;
  }

  async count(): Promise<number> {
    return Number((await this.#db.read(this.#sql.count.bind({})))[0]?.[0] ?? 0);
  }

  /** Those that have not expired, newest first. */
  async list(now: number): Promise<readonly Share[]> {
    return (await this.#db.read(this.#sql.list.bind({ now }))).map(shareOf);
  }

  /** The page behind a link; undefined: there is none, or none any more. */
  async page(link: string, now: number): Promise<SharedPage | undefined> {
    const [row] = await this.#db.read(this.#sql.page.bind({ link, now }));
    if (row === undefined) return undefined;
    return { title: String(row[0]), page: String(row[1]), createdAt: Number(row[2]), expiresAt: Number(row[3]) };
  }

  /** False: there is none, or it has expired. */
  async remove(id: string, now: number): Promise<boolean> {
    const known = (await this.#db.read(this.#sql.known.bind({ id, now }))).length > 0;
    if (known) await this.#db.commit({ label: "shares.remove", statements: [this.#sql.remove.bind({ id })] });
    return known;
  }

  async removeSession(session: string): Promise<void> {
    await this.#db.commit({ label: "shares.forget", statements: [this.#sql.removeSession.bind({ session })] });
  }

  async removeTasks(tasks: readonly string[]): Promise<void> {
    const statement = this.#sql.removeTasks.bind({ tasks: JSON.stringify(tasks) });
    await this.#db.commit({ label: "shares.forget", statements: [statement] });
  }

  /** Removes what has expired, and copies of what is gone. */
  async removeExpired(now: number): Promise<void> {
    if ((await this.#db.read(this.#sql.anyExpired.bind({ now }))).length === 0) return;
    await this.#db.commit({ label: "shares.sweep", statements: [this.#sql.removeExpired.bind({ now })] });
  }

  /** What the calls of tasks were given and what came back, by call. */
  async calls(tasks: readonly string[]): Promise<ReadonlyMap<string, CallTexts>> {
    const statement = this.#sql.calls.bind({ tasks: JSON.stringify(tasks), most: CALL_CHARS });
    const rows = await this.#db.read(statement, "long");
    return new Map(
      rows.map(([id, args, result]) => {
        return [String(id), { args: String(args), result: result === null ? undefined : String(result) }] as const;
      }),
    );
  }
}

function shareOf([id, session, task, title, included, bytes, createdAt, expiresAt]: Row): Share {
  return {
    id: String(id),
    session: String(session),
    task: task === null ? undefined : String(task),
    title: String(title),
    include: JSON.parse(String(included)) as ShareInclude,
    bytes: Number(bytes),
    createdAt: Number(createdAt),
    expiresAt: Number(expiresAt),
  };
}

/**
 * Approvals that a person gave once and for all (O3): exactly this tool with exactly these arguments, for tasks of
 * one class.
 *
 * Invariants
 *  AG1  A grant is durable with the answer it came with, and counts only once that is.
 *  AG2  A grant that is being revoked counts for no call that is decided from then on.
 *  AG3  What counts is in memory, so asking costs no reading; it is bounded.
 */
import { type Database, namedStatement, type Statement } from "../database/index.ts";

export interface GrantedCall {
  readonly class: string;
  readonly tool: string;
  /** Canonical JSON text. */
  readonly args: string;
  /** `callDigest` of tool and arguments. */
  readonly digest: string;
}

/** A remembered approval: calls of this tool with these arguments run without asking. */
export interface ApprovalGrant extends GrantedCall {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The last row of a page of grants or prompts; the next page begins after it. */
export interface ApprovalPosition {
  readonly at: number;
  readonly id: string;
}

const MAX_GRANTS = 10_000;

const statements = () => ({
  load: namedStatement("SELECT id, class, digest FROM approval_grant LIMIT :most"),
  insert: namedStatement(
    `INSERT INTO approval_grant (id, class, tool, args, digest, created_at)
     VALUES (:id, :class, :tool, :args, :digest, :at) ON CONFLICT (class, digest) DO NOTHING`,
  ),
  page: namedStatement(
    `SELECT id, class, tool, args, digest, created_at FROM approval_grant
     WHERE (created_at, id) < (:at, :before) ORDER BY created_at DESC, id DESC LIMIT :limit`,
  ),
  remove: namedStatement("DELETE FROM approval_grant WHERE id = :id"),
});

function keyOf({ class: caller, digest }: Pick<GrantedCall, "class" | "digest">): string {
  return `${caller}\u0000${digest}`;
}

export class ApprovalGrants {
  readonly #db: Database;
  readonly #sql = statements();
  /** Ids by class and digest. */
  readonly #ids = new Map<string, string>();

  private constructor(db: Database) {
    this.#db = db;
  }

  /** Reads what is granted. @throws DatabaseError */
  static async open(db: Database): Promise<ApprovalGrants> {
    const grants = new ApprovalGrants(db);
    for (const [id, caller, digest] of await db.read(grants.#sql.load.bind({ most: MAX_GRANTS })))
      grants.#ids.set(keyOf({ class: String(caller), digest: String(digest) }), String(id));
    return grants;
  }

  /** No further grant can be remembered. */
  get full(): boolean {
    return this.#ids.size >= MAX_GRANTS;
  }

  /** Whether a call needs no approval any more. */
  has(call: Pick<GrantedCall, "class" | "digest">): boolean {
    return this.#ids.has(keyOf(call));
  }

  /** What makes a grant durable, to be committed with the answer; `remembered` once it is (AG1). */
  insert(grant: ApprovalGrant): Statement {
    const { id, class: caller, tool, args, digest, createdAt: at } = grant;
    return this.#sql.insert.bind({ id, class: caller, tool, args, digest, at });
  }

  /** The commit with `insert` has happened. */
  remembered(grant: ApprovalGrant): void {
    const key = keyOf(grant);
    if (!this.#ids.has(key)) this.#ids.set(key, grant.id);
  }

  /** A page, newest first. @throws DatabaseError */
  async list(limit: number, before?: ApprovalPosition): Promise<readonly ApprovalGrant[]> {
    const from = { at: before?.at ?? Number.MAX_SAFE_INTEGER, before: before?.id ?? "" };
    const rows = await this.#db.read(this.#sql.page.bind({ ...from, limit }));
    return rows.map(([id, caller, tool, args, digest, at]) => ({
      id: String(id),
      class: String(caller),
      tool: String(tool),
      args: String(args),
      digest: String(digest),
      createdAt: Number(at),
    }));
  }

  /** Takes a grant back; false when there is none of this id. @throws DatabaseError; it counts on then */
  async revoke(id: string): Promise<boolean> {
    const known = [...this.#ids].find(([, one]) => one === id);
    if (known === undefined) return false;
    const [key] = known;
    this.#ids.delete(key);
    try {
      await this.#db.commit({ label: "approval.revoke", statements: [this.#sql.remove.bind({ id })] });
    } catch (error) {
      this.#ids.set(key, id);
      throw error;
    }
    return true;
  }
}

/**
 * Responses stored under idempotency keys (A15): the same class, key and request within 24 hours gets the first
 * response again.
 *
 * Invariants
 *  IK1  A key is taken, durably, before its request runs. What the request creates is committed under a name derived from
 *       the key (`since`), so a request that a crash or a fault interrupted runs again and finds what it created: the work
 *       is done once, and its response is never lost.
 *  IK2  A key belongs to one request. A different request under it is rejected.
 *  IK3  What is stored is bounded: the number of keys, the size of a response, 24 hours.
 */
import type { Clock } from "../clock/index.ts";
import { commitIfExpected, type Database, namedStatement } from "../database/index.ts";

/** A response as it was sent. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | undefined;
}

/** A key of a caller class, with a digest of its request. */
export interface IdempotencyKey {
  readonly class: string;
  readonly key: string;
  readonly digest: string;
}

/** What is known under a key. */
export type Claim =
  /**
   * The key is this request's: run it, then `keep` or `release`. `since`: when the key was first taken for it, the same
   * however often it runs; `begun`: an earlier run was interrupted, and how far it came is unknown.
   */
  | { readonly kind: "taken"; readonly since: number; readonly begun: boolean }
  /** The key belongs to a different request. */
  | { readonly kind: "other" }
  /** The same request was answered with this status; the response itself was not stored. */
  | { readonly kind: "not_stored"; readonly status: number }
  | { readonly kind: "answered"; readonly answer: StoredResponse }
  /** The bound on keys is reached. */
  | { readonly kind: "full" };

/** Stores responses under idempotency keys; a repeated request gets the stored response. */
export interface IdempotencyStore {
  /**
   * Takes a key for a request, or returns what is known under it. The caller ensures that no two requests of this
   * process use a key at a time. @throws DatabaseError
   */
  claim(key: IdempotencyKey): Promise<Claim>;
  /** Stores the response, or only its status when it is undefined or too large. @throws DatabaseError */
  keep(key: IdempotencyKey, status: number, answer: StoredResponse | undefined): Promise<void>;
  /** Frees a key whose request changed nothing. @throws DatabaseError */
  release(key: IdempotencyKey): Promise<void>;
}

export interface IdempotencyBounds {
  /** Keys at once; default 10,000. */
  readonly keys?: number;
  /** Characters of a response's headers and body; default 65,536. */
  readonly answerLength?: number;
}

const TTL_MS = 24 * 3_600_000;

const statements = () => ({
  take: namedStatement(
    `INSERT INTO kept_answer (class, key, digest, status, headers, body, created_at)
     SELECT :class, :key, :digest, NULL, NULL, NULL, :at WHERE (SELECT count(*) FROM kept_answer) < :most
     ON CONFLICT (class, key) DO UPDATE SET digest = excluded.digest, status = NULL, headers = NULL, body = NULL,
       created_at = excluded.created_at WHERE kept_answer.created_at < :before`,
  ),
  read: namedStatement(
    "SELECT digest, status, headers, body, created_at FROM kept_answer WHERE class = :class AND key = :key AND created_at >= :before",
  ),
  keep: namedStatement(
    `UPDATE kept_answer SET status = :status, headers = :headers, body = :body
     WHERE class = :class AND key = :key AND digest = :digest AND status IS NULL`,
  ),
  release: namedStatement(
    "DELETE FROM kept_answer WHERE class = :class AND key = :key AND digest = :digest AND status IS NULL",
  ),
});

/** Responses in the database. Old ones are removed with the journal's retention. */
export function createIdempotencyStore(
  db: Database,
  clock: Pick<Clock, "now">,
  { keys = 10_000, answerLength = 65_536 }: IdempotencyBounds = {},
): IdempotencyStore {
  const sql = statements();
  const take = ({ class: caller, key, digest }: IdempotencyKey, at: number): Promise<boolean> => {
    const expect = sql.take.bind({ class: caller, key, digest, at, before: at - TTL_MS, most: keys });
    return commitIfExpected(db, { label: "answer.claim", expect, statements: [] });
  };
  return {
    async claim(key) {
      const at = clock.now();
      if (await take(key, at)) return { kind: "taken", since: at, begun: false };
      const [row] = await db.read(sql.read.bind({ class: key.class, key: key.key, before: at - TTL_MS }));
      if (row === undefined) return { kind: "full" };
      const [digest, status, headers, body, since] = row;
      if (digest !== key.digest) return { kind: "other" };
      if (typeof status !== "number") return { kind: "taken", since: Number(since), begun: true };
      if (typeof headers !== "string") return { kind: "not_stored", status };
      const answer = { status, headers: JSON.parse(headers) as StoredResponse["headers"] };
      return { kind: "answered", answer: { ...answer, body: typeof body === "string" ? body : undefined } };
    },
    async keep({ class: caller, key, digest }, status, answer) {
      const headers = answer === undefined ? null : JSON.stringify(answer.headers);
      const fits = headers !== null && headers.length + (answer?.body?.length ?? 0) <= answerLength;
      const kept = fits ? { headers, body: answer?.body ?? null } : { headers: null, body: null };
      const change = sql.keep.bind({ class: caller, key, digest, status, ...kept });
      await db.commit({ label: "answer.keep", statements: [change] });
    },
    async release({ class: caller, key, digest }) {
      await db.commit({ label: "answer.release", statements: [sql.release.bind({ class: caller, key, digest })] });
    },
  };
}

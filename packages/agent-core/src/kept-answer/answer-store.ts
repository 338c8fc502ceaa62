/**
 * Answers of requests that came with an idempotency key (A15): same class, same key, same request within 24 hours
 * get the first one's answer.
 *
 * Invariants
 *  IK1  A key is taken, durably, before its request is carried out. What the request makes is committed under a name that
 *       comes of the key (`since`), so a request that a crash or a fault cut off is carried out again and finds what it
 *       made: the work is done once, and its answer is never lost.
 *  IK2  A key stands for one request. Whoever brings another under it is told so.
 *  IK3  What is kept is bounded: keys, the size of an answer, 24 hours.
 */
import type { Clock } from "../clock/index.ts";
import { type Database, DatabaseError, namedStatement } from "../database/index.ts";

/** An answer as it was given. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Undefined: none. */
  readonly body: string | undefined;
}

/** A key of a caller class, with a digest of the request it stands for. */
export interface AnswerKey {
  readonly class: string;
  readonly key: string;
  readonly digest: string;
}

/** What a key says about a request. */
export type Claim =
  /**
   * The key is this request's: carry it out, then `keep` or `release`. `since`: when the key was first taken for it, the
   * same however often it is carried out; `begun`: it was begun before, and nobody knows how far it came.
   */
  | { readonly kind: "taken"; readonly since: number; readonly begun: boolean }
  /** The key stands for a different request. */
  | { readonly kind: "other" }
  /** The same request was answered with this status; the answer itself is not kept. */
  | { readonly kind: "unkept"; readonly status: number }
  | { readonly kind: "answered"; readonly answer: KeptAnswer }
  /** As many keys as are kept are in use. */
  | { readonly kind: "full" };

/** Where answers are kept. */
export interface AnswerStore {
  /**
   * Takes a key for a request, or says what it stands for already. The caller sees to it that no two requests of this
   * process hold a key at a time. @throws DatabaseError
   */
  claim(key: AnswerKey): Promise<Claim>;
  /** Keeps the answer, or, when it is undefined or too large, that there was one of this status. @throws DatabaseError */
  keep(key: AnswerKey, status: number, answer: KeptAnswer | undefined): Promise<void>;
  /** Gives a key back: its request changed nothing. @throws DatabaseError */
  release(key: AnswerKey): Promise<void>;
}

/** How much is kept. */
export interface KeptAnswerBounds {
  /** Keys at once; default 10,000. */
  readonly keys?: number;
  /** Characters of an answer's headers and body; default 65,536. */
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

/** Keeps answers in the store. Old ones leave with the journal's retention. */
export function createAnswerStore(
  db: Database,
  clock: Pick<Clock, "now">,
  { keys = 10_000, answerLength = 65_536 }: KeptAnswerBounds = {},
): AnswerStore {
  const sql = statements();
  const take = async ({ class: caller, key, digest }: AnswerKey, at: number): Promise<boolean> => {
    const expect = sql.take.bind({ class: caller, key, digest, at, before: at - TTL_MS, most: keys });
    try {
      await db.commit({ label: "answer.claim", expect, statements: [] });
      return true;
    } catch (error) {
      if (error instanceof DatabaseError && error.code === "expectation_failed") return false;
      throw error;
    }
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
      if (typeof headers !== "string") return { kind: "unkept", status };
      const answer = { status, headers: JSON.parse(headers) as KeptAnswer["headers"] };
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

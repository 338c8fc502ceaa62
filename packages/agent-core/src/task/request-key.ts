/**
 * Idempotency keys (A15): same class, same key, same request within 24 hours → the same result. The row of a key is
 * part of the commit that makes the result, so the two are there together or not at all. A key outlives what it stands
 * for: a task that was deleted with its session is not started again.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../clock/index.ts";
import type { Database, Statement } from "../database/index.ts";
import type { Journal } from "../journal/index.ts";
import { TaskError } from "./task-error.ts";

/** Characters a key has at most, on every surface. */
export const MAX_REQUEST_KEY_CHARS = 255;

/** Milliseconds a key is remembered. */
export const KEY_TTL_MS = 24 * 3_600_000;

/** What keys are kept in. */
export interface KeyStore {
  readonly db: Database;
  readonly journal: Pick<Journal, "statements">;
  readonly clock: Pick<Clock, "now">;
}

/** An idempotency key with a digest of the request it came with. */
export interface RequestKey {
  readonly key: string;
  readonly digest: string;
}

/** The digest of what a key belongs to: equal texts are the same request. */
export function digestOf(asked: string): string {
  return createHash("sha256").update(asked).digest("hex");
}

/** A key for what was asked: values that make a request the same request, as JSON has them. */
export function requestKey(key: string, asked: readonly unknown[]): RequestKey {
  return { key, digest: digestOf(JSON.stringify(asked)) };
}

/**
 * What was accepted under a key, if it is known and fresh: the id of a task, or whatever else `keyRow` was given.
 * @throws TaskError key_conflict when it belongs to a different request
 */
export async function resultByKey(deps: KeyStore, callerClass: string, key: RequestKey): Promise<string | undefined> {
  const { statements } = deps.journal;
  const [row] = await deps.db.read(statements.selectKey.bind({ class: callerClass, key: key.key }));
  if (row === undefined) return undefined;
  if (Number(row[2]) < deps.clock.now() - KEY_TTL_MS) {
    await forgetKey(deps, callerClass, key);
    return undefined;
  }
  if (row[0] !== key.digest) throw new TaskError("key_conflict", "this idempotency key stands for a different request");
  return String(row[1]);
}

async function forgetKey(deps: KeyStore, callerClass: string, { key }: RequestKey): Promise<void> {
  const drop = deps.journal.statements.deleteKey.bind({ class: callerClass, key });
  await deps.db.commit({ label: "task.key-expired", statements: [drop] });
}

/** The row that remembers a key. Goes into the commit of what is accepted under it. */
export function keyRow(deps: KeyStore, callerClass: string, key: RequestKey, result: string): Statement {
  return deps.journal.statements.insertKey.bind({
    class: callerClass,
    key: key.key,
    digest: key.digest,
    task: result,
    at: deps.clock.now(),
  });
}

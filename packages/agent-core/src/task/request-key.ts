/** Idempotency keys (ruling A15): same class, same key, same request within 24 hours → the same task. */
import type { Statement } from "../database/index.ts";
import type { TurnDeps } from "../turn/index.ts";
import { TaskError } from "./task-error.ts";

/** Milliseconds a key is remembered. */
export const KEY_TTL_MS = 24 * 3_600_000;

/** A key with a digest of the request it stands for. */
export interface RequestKey {
  readonly key: string;
  readonly digest: string;
}

/**
 * The task a key stands for, if it is known and fresh.
 * @throws TaskError key_conflict when it stands for a different request
 */
export async function taskByKey(deps: TurnDeps, callerClass: string, key: RequestKey): Promise<string | undefined> {
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

/** Forgets a key. */
export async function forgetKey(deps: TurnDeps, callerClass: string, { key }: RequestKey): Promise<void> {
  const drop = deps.journal.statements.deleteKey.bind({ class: callerClass, key });
  await deps.db.commit({ label: "task.key-expired", statements: [drop] });
}

/** The row that remembers a key. */
export function keyRow(deps: TurnDeps, callerClass: string, key: RequestKey, task: string): Statement {
  return deps.journal.statements.insertKey.bind({
    class: callerClass,
    key: key.key,
    digest: key.digest,
    task,
    at: deps.clock.now(),
  });
}

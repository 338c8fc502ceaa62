import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a save waits for another one, and after which age a lock of an unknown owner is taken to be left behind. */
const WAIT_MS = 10_000;
const STALE_MS = 60_000;
const RETRY_MS = 15;

/** The lock was held by others all the time. */
export class LockTimeoutError extends Error {
  override readonly name = "LockTimeoutError";
  readonly code = "lock_timeout";
}

/**
 * Runs `work` while no other process, and no other caller in this one, holds the lock `file`. A lock whose process has ended
 * is taken over. Rejects with `LockTimeoutError`, with the error of the file system, or with what `work` throws.
 */
export async function withFileLock<T>(file: string, work: () => T): Promise<T> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), nonce: randomBytes(8).toString("hex") });
  const until = Date.now() + WAIT_MS;
  while (!take(file, mine)) {
    dropStale(file);
    if (Date.now() > until) throw new LockTimeoutError(`${file}: another save holds it`);
    await sleep(RETRY_MS);
  }
  try {
    return work();
  } finally {
    if (textOf(file) === mine) unlinkSync(file);
  }
}

/** A link appears with its content or not at all, and never over another file. */
function take(file: string, mine: string): boolean {
  const own = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(own, mine, { flag: "wx", mode: 0o600 });
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code === "EPERM" || code === "ENOTSUP" || code === "ENOSYS") return takeWithoutLink(file, mine);
    throw error;
  } finally {
    unlinkSync(own);
  }
}

/** File systems without links: the name is still taken by one only, its content follows. */
function takeWithoutLink(file: string, mine: string): boolean {
  try {
    writeFileSync(file, mine, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a lock whose process has ended. Two that find the same one: the second needs the lock's lock, and reads again under
 * it, so it does not remove the lock the first one has taken since.
 */
function dropStale(file: string): void {
  const seen = textOf(file);
  if (seen === undefined || !isStale(file, seen)) return;
  const guard = `${file}.stale`;
  if (!take(guard, seen)) {
    // The guard is held for microseconds; an old one was left by a crash.
    const age = ageOf(guard);
    if (age !== undefined && age > STALE_MS) remove(guard);
    return;
  }
  try {
    if (textOf(file) === seen) remove(file);
  } finally {
    remove(guard);
  }
}

function isStale(file: string, text: string): boolean {
  const age = ageOf(file);
  if (age === undefined) return false;
  if (age > STALE_MS) return true;
  try {
    const { pid, host } = JSON.parse(text) as { pid: number; host: string };
    if (host !== hostname()) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function ageOf(file: string): number | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? undefined : Date.now() - stat.mtimeMs;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process was faster.
  }
}

/**
 * Limits that only a hang reaches: the suite takes ten times as long on a machine that is busy with something else, and is
 * right all the same. A test sets none of its own (architecture rule 9).
 */

/** Milliseconds one test, or what prepares it, may take. */
export const TEST_LIMIT_MS = 600_000;

/** Milliseconds a test waits for one thing: a condition, an element of a page, an answer, the start of a process. */
export const WAIT_LIMIT_MS = 120_000;

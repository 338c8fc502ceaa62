/** Ids of tasks, contexts and rows: UUID version 7 (RFC 9562), so that they sort by time and inserts stay at one end. */
import { randomUUID } from "node:crypto";

/** Numbers within a millisecond that fit `rand_a`. */
const COUNTER_LIMIT = 0x1000;

/**
 * A source of ids; ids of one source sort in the order they were made. The random part is a version 4 UUID's (Node
 * makes those in batches; asking the system for bytes per id showed in profiles).
 */
export function createIdSource(clock: { now(): number }): () => string {
  let last = 0;
  let counter = 0;
  let prefix = "";
  const moveTo = (time: number): void => {
    last = time;
    counter = 0;
    const digits = time.toString(16).padStart(12, "0");
    prefix = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
  };
  return () => {
    const now = clock.now();
    if (now > last) moveTo(now);
    else if (++counter === COUNTER_LIMIT) moveTo(last + 1);
    return `${prefix}${counter.toString(16).padStart(3, "0")}-${randomUUID().slice(19)}`;
  };
}

/**
 * Keeps V8's old generation near the size of its live objects. By default V8 lets garbage grow to as much again before it collects,
 * which a process whose garbage reaches the old generation (a thousand streams that are each waiting when a young
 * collection comes) pays for as resident memory. Looking earlier costs little where the heap is small, and what it costs is
 * mostly paid beside the main thread.
 */
import { setFlagsFromString } from "node:v8";

/** Garbage in percent of the live objects from which on V8 collects. */
const PERCENT = 25;

/** Call it when the service is up: the garbage of a start is collected once. */
export function boundOldGeneration(): void {
  setFlagsFromString(`--heap-growing-percent=${PERCENT}`);
}

/**
 * Collects what large or many requests leave behind in a thread's heap once the thread is quiet.
 *
 * V8 looks for garbage when the heap grows, so after the last of some messages of megabytes nothing looks: their texts and
 * the bytes of their bodies stayed resident until the next use (measured after 31 messages of 9.9 MB: 47 to 130 MB in
 * the main thread, 47 in the store's two). Ordinary load makes no large objects, so that nothing is collected after
 * it, which would take compiled code along.
 *
 * V8's own collections may have been through the large objects of such a time while the process still holds what it grew by:
 * a young generation at its largest and pages that V8 keeps to use again. Whoever reads conversations of megabytes left 84 MB
 * so (300 late readers, docs/reliability.md), and a full collection hands them back.
 */
import { performance } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const LOOK_EVERY_MS = 5_000;
/** Bytes of large objects, beyond those that the last collection left, that are worth a collection. */
const WORTH_BYTES = 16 * 1024 * 1024;
/** Bytes by which the process grew beyond what it was after the last collection that are worth one, whatever they are. */
const WORTH_RESIDENT_BYTES = 64 * 1024 * 1024;
/** Share of the time between two looks that the event loop worked, from which on it is not quiet. */
const BUSY = 0.25;

/** Bytes of texts and buffers that have pages of their own, alive or not. */
function largeBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => space_name.endsWith("large_object_space"));
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, process.memoryUsage().arrayBuffers);
}

/** A full collection. The flag stays, for it is the process's and other threads collect too; it names `gc` in new contexts only. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  gc();
}

/** For the thread that calls it; the main one when its service is up. `everyMs`: between two looks. Returns what ends it. */
export function collectLargeGarbage(everyMs = LOOK_EVERY_MS): () => void {
  let left = largeBytes();
  let resident = process.memoryUsage.rss();
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    const large = largeBytes();
    left = Math.min(left, large);
    const grown = process.memoryUsage.rss() - resident;
    if (utilization >= BUSY || (large - left < WORTH_BYTES && grown < WORTH_RESIDENT_BYTES)) return;
    collect();
    left = largeBytes();
    resident = process.memoryUsage.rss();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

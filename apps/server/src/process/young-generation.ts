/**
 * Bounds V8's young generation. On a machine with much memory Node lets it grow to 2 × 64 MiB, which a server pays for as
 * resident memory (measured: 134 MB of a 282 MB process). With less than a turn needs while 64 of them run, what a turn holds
 * is old before it ends: with 16 MiB a one-tool turn took a fifth more CPU than with 32. A thousand streams that are opened and
 * then idle need no more than 16, and 32 would stay resident. Node takes a maximum only on its command line; the factor by which the generation grows can be set while running, and 1 stops it.
 */
import { PerformanceObserver, performance } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Bytes of both halves together at which growing stops. */
const LIMIT = 16 * 1024 * 1024;

/**
 * The same while collections come often and many turns run: there what is alive at one belongs to turns, and ends soon if it
 * is let. Sixteen turns side by side have room in less (measured: 15 MB of resident memory for nothing).
 */
const LIMIT_UNDER_LOAD = 32 * 1024 * 1024;
const MANY_TURNS = 32;

/** Collections in a second from which on they come often, and over how many milliseconds they are counted. */
const OFTEN = 20;
const WINDOW_MS = 500;

function growBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

function size(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}

/**
 * Lets the young generation grow with the load, up to the limit. Call it when the service is up; `runningTurns` returns how many
 * turns run now, `now` is a clock in milliseconds. V8 takes it back to its first size when the process is idle for some seconds; from there it may grow again.
 */
export function boundYoungGeneration(runningTurns: () => number, now = () => performance.now()): void {
  let factor = 2;
  let since = now();
  let count = 0;
  let often = false;
  growBy(factor);
  const collections = new PerformanceObserver((list) => {
    count += list.getEntries().length;
    const elapsed = now() - since;
    if (elapsed >= WINDOW_MS) {
      often = (count * 1_000) / elapsed >= OFTEN;
      since += elapsed;
      count = 0;
    }
    const limit = often && runningTurns() >= MANY_TURNS ? LIMIT_UNDER_LOAD : LIMIT;
    const wanted = size() < limit ? 2 : 1;
    if (wanted === factor) return;
    factor = wanted;
    growBy(factor);
  });
  collections.observe({ entryTypes: ["gc"] });
}

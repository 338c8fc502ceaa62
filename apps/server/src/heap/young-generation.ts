/**
 * Bounds V8's young generation. On a machine with much memory Node lets it grow to 2 × 64 MiB and keeps it there, which a
 * server pays for as resident memory long after a load (measured: 134 MB of a 282 MB process). With less than a turn needs
 * while 64 of them run, what a turn holds is old before it ends: with 16 MiB a one-tool turn took a fifth more CPU than
 * with 32. So it may grow under load, up to a limit, and is given back when the load is over. Node takes a maximum only on
 * its command line; the factor by which the generation grows can be set while running, and 1 stops it.
 */
import { PerformanceObserver, performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { giveBack } from "./give-back.ts";
import { youngSpace } from "./young-space.ts";

/** Bytes of both halves together at which growing stops. */
const LIMIT = 32 * 1024 * 1024;

/** Bytes from which giving back pays. */
const WORTHWHILE = 8 * 1024 * 1024;

/** How often a generation that has grown is looked at, in milliseconds, and how many quiet looks end a load. */
const LOOK_MS = 250;
const QUIET_LOOKS = 3;

/** Share of the time that the event loop may be busy in a quiet look. */
const QUIET = 0.05;

function growBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

function size(): number {
  return youngSpace()?.space_size ?? 0;
}

/** Keeps the young generation at its first size: what a start makes stays anyway. Call it first. */
export function holdYoungGeneration(): void {
  growBy(1);
}

/**
 * Lets the young generation grow with the load, up to the limit, and gives it back when the load is over. Call it when the
 * service is up.
 */
export function boundYoungGeneration(): void {
  let stopped = false;
  let loaded = false;
  growBy(2);
  const collections = new PerformanceObserver(() => {
    const bytes = size();
    if (stopped !== bytes >= LIMIT) {
      stopped = !stopped;
      growBy(stopped ? 1 : 2);
    }
    if (loaded || bytes < WORTHWHILE) return;
    loaded = true;
    whenQuiet(() => {
      loaded = false;
      giveBack();
    });
  });
  collections.observe({ entryTypes: ["gc"] });
}

/** Calls `then` once, when the event loop has had next to nothing to do for a while. */
function whenQuiet(then: () => void): void {
  let quiet = 0;
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    quiet = utilization < QUIET ? quiet + 1 : 0;
    if (quiet < QUIET_LOOKS) return;
    clearInterval(timer);
    then();
  }, LOOK_MS);
  timer.unref();
}

/** Measures how fast this machine computes from moment to moment: its processors share caches and clocks. */

/** One measurement. */
export interface PaceSample {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Processor time that the same piece of work took, in milliseconds. */
  readonly cpuMs: number;
}

/** Milliseconds between two measurements. */
const EVERY_MS = 200;
/** The work: a text that is hard to write as JSON, as long as fits into a cache of its own. */
const WORK = JSON.stringify('"\\'.repeat(64 * 1024));
const TIMES = 4;
/** Milliseconds around a moment within which samples count for it. */
const NEAR_MS = 1_000;
/** A machine that is slower than this half the time is not fit to measure. */
const MOST = 3;

/** Measures as long as the process lives. The list grows. */
export function watchPace(): readonly PaceSample[] {
  const samples: PaceSample[] = [];
  setInterval(() => {
    // A process that slept finds its caches cold; the second time is the measurement.
    JSON.stringify(WORK);
    const { user, system } = process.threadCpuUsage();
    for (let time = 0; time < TIMES; time++) JSON.stringify(WORK);
    const after = process.threadCpuUsage({ user, system });
    samples.push({ at: Date.now(), cpuMs: (after.user + after.system) / 1_000 });
  }, EVERY_MS);
  return samples;
}

/** How many times longer than at its best the machine took for the same work around a moment: 1 to 3. */
export function slownessAt(at: number, samples: readonly PaceSample[]): number {
  const near = samples.filter((sample) => Math.abs(sample.at - at) <= NEAR_MS).map(({ cpuMs }) => cpuMs);
  const best = samples.reduce((least, { cpuMs }) => (cpuMs > 0 ? Math.min(least, cpuMs) : least), Infinity);
  const middle = near.toSorted((a, b) => a - b)[Math.floor(near.length / 2)];
  return middle === undefined || !Number.isFinite(best) ? 1 : Math.min(MOST, Math.max(1, middle / best));
}

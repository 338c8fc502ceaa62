/** Detects when the event loop of this process is blocked. */

/** One standstill. */
export interface Stall {
  /** When it was over, in milliseconds since 1970. */
  readonly at: number;
  /** How long it was, on the clock. */
  readonly wallMs: number;
  /** How long the loop's own thread computed meanwhile; the rest it waited for the processor, or the machine stood. */
  readonly cpuMs: number;
}

/** Milliseconds between two looks. */
const TICK_MS = 10;
/** Longest list that is kept. */
const MOST = 10_000;

/** Looks for standstills of at least `leastMs`, as long as the process lives. The list grows. */
export function watchStalls(leastMs: number): readonly Stall[] {
  const stalls: Stall[] = [];
  let before = performance.now();
  let cpuBefore = cpuMicroseconds();
  setInterval(() => {
    const now = performance.now();
    const cpu = cpuMicroseconds();
    const wallMs = now - before - TICK_MS;
    const cpuMs = (cpu - cpuBefore) / 1_000;
    if (wallMs >= leastMs && stalls.length < MOST) stalls.push({ at: Date.now(), wallMs, cpuMs });
    before = now;
    cpuBefore = cpu;
  }, TICK_MS);
  return stalls;
}

function cpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Milliseconds of a stall in which an idle process of the same machine stood still too. */
export function sharedWith(stall: Stall, idle: readonly Stall[]): number {
  const overlap = (other: Stall): number =>
    Math.min(stall.at, other.at) - Math.max(stall.at - stall.wallMs, other.at - other.wallMs);
  return idle.reduce((sum, other) => sum + Math.max(0, overlap(other)), 0);
}

import type { Clock, Timer } from "../../../packages/agent-core/src/clock/index.ts";

interface Pending {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that jumps, forwards as a machine that slept and backwards as one whose clock was set: what is due then runs once. */
export class JumpingClock implements Clock {
  #now: number;
  readonly #timers = new Set<Pending>();

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, ms: number): Timer {
    const timer = { at: this.#now + Math.max(0, Math.ceil(ms)), run };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** The service is gone, and its timers with it. */
  clear(): void {
    this.#timers.clear();
  }

  /** Sets the time without running anything. */
  set(to: number): void {
    this.#now = Math.round(to);
  }

  /** Runs what is due, also what that sets, until nothing is. Returns whether there was anything. */
  async runDue(): Promise<boolean> {
    let any = false;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
      if (due.length === 0) return any;
      any = true;
      for (const timer of due) if (this.#timers.delete(timer)) timer.run();
      await turn();
    }
  }
}

/** Lets what can run do so. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

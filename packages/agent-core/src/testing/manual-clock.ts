import type { Clock, Timer } from "../clock/index.ts";

interface Pending {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** A clock that stands still until it is advanced. */
export interface ManualClock extends Clock {
  /**
   * Moves the time on by `ms` and runs every timer that falls due, in the order of their times (equal times: in the
   * order they were set), also those set on the way. Between two timers everything that is already runnable runs.
   */
  advance(ms: number): Promise<void>;
  /** When the next timer falls due, in epoch milliseconds; undefined: none is set. */
  nextAt(): number | undefined;
  /** How many timers are set. */
  pending(): number;
  /** Waits until at least `count` timers are set (default 1): the moment somebody waits on this clock. */
  untilPending(count?: number): Promise<void>;
}

/** Lets promise reactions and already finished input and output run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** A `Clock` for tests. `start` is epoch milliseconds, by default 2026-01-01T00:00:00Z. */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  let orders = 0;
  const timers = new Set<Pending>();
  let watchers: { readonly count: number; readonly resolve: () => void }[] = [];

  function dueBy(limit: number): Pending | undefined {
    let first: Pending | undefined;
    for (const timer of timers) {
      if (timer.at > limit) continue;
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) {
        first = timer;
      }
    }
    return first;
  }

  return {
    now: () => now,
    setTimeout(run: () => void, ms: number): Timer {
      const timer: Pending = { at: now + Math.max(0, ms), order: orders++, run };
      timers.add(timer);
      for (const watcher of watchers) if (timers.size >= watcher.count) watcher.resolve();
      watchers = watchers.filter((watcher) => timers.size < watcher.count);
      return { cancel: () => void timers.delete(timer) };
    },
    async advance(ms) {
      const limit = now + ms;
      await settle();
      for (let timer = dueBy(limit); timer !== undefined; timer = dueBy(limit)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.run();
        await settle();
      }
      now = limit;
    },
    nextAt: () => dueBy(Number.POSITIVE_INFINITY)?.at,
    pending: () => timers.size,
    untilPending(count = 1) {
      if (timers.size >= count) return Promise.resolve();
      return new Promise((resolve) => watchers.push({ count, resolve }));
    },
  };
}

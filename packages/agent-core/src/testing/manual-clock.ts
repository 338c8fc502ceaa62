import type { Clock, Timer } from "../clock/index.ts";

interface Pending {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  readonly background: boolean;
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
  /** How many timers are set, without those in the background: they come and go by themselves. */
  pending(): number;
  /** Waits until `pending` is at least `count` (default 1). */
  untilPending(count?: number): Promise<void>;
  /** Waits until a timer is set, in the background or not, that falls due in exactly `ms`. */
  untilDueIn(ms: number): Promise<void>;
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
  let watchers: { readonly met: () => boolean; readonly resolve: () => void }[] = [];

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

  function pending(): number {
    let count = 0;
    for (const timer of timers) if (!timer.background) count++;
    return count;
  }

  function until(met: () => boolean): Promise<void> {
    if (met()) return Promise.resolve();
    return new Promise((resolve) => watchers.push({ met, resolve }));
  }

  return {
    now: () => now,
    setTimeout(run: () => void, ms: number, options?: { readonly background?: boolean }): Timer {
      const background = options?.background === true;
      const timer: Pending = { at: now + Math.max(0, ms), order: orders++, run, background };
      timers.add(timer);
      watchers = watchers.filter((watcher) => {
        const met = watcher.met();
        if (met) watcher.resolve();
        return !met;
      });
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
    pending,
    untilPending: (count = 1) => until(() => pending() >= count),
    untilDueIn(ms) {
      const at = now + ms;
      return until(() => [...timers].some((timer) => timer.at === at));
    },
  };
}

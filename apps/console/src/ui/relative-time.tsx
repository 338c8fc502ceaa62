import { type ReactElement, useSyncExternalStore } from "react";
import { ago, exactTime } from "./format.ts";

/** One timer that all times of the page share. */
function createTicker(everyMs: number): { subscribe(listener: () => void): () => void; now(): number } {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    subscribe(listener) {
      listeners.add(listener);
      timer ??= setInterval(() => {
        now = Date.now();
        for (const listener of listeners) listener();
      }, everyMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    now: () => now,
  };
}

const ticker = createTicker(15_000);

/** A time as how long ago it was; the exact one on hover. `at` is ISO-8601. */
export function RelativeTime({ at }: { readonly at: string }): ReactElement {
  const now = useSyncExternalStore(ticker.subscribe, ticker.now, ticker.now);
  const time = new Date(at);
  return (
    <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap">
      {ago(time, new Date(Math.max(now, time.getTime())))}
    </time>
  );
}

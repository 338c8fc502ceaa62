import type { Clock } from "../../packages/agent-core/src/clock/index.ts";

/** How much faster than the machine's it runs: the whole of a webhook's retries takes 0.4 s, a POST may take 0.3 s. */
export const WEBHOOK_SPEED = 30;

/** A clock that runs `speed` times as fast as the machine's since `epoch` (epoch milliseconds), for every process alike. */
export function fastClock(epoch: number, speed: number): Clock {
  return {
    now: () => epoch + (Date.now() - epoch) * speed,
    setTimeout(run, ms, options) {
      const timer = setTimeout(run, ms / speed);
      if (options?.background === true) timer.unref();
      return { cancel: () => clearTimeout(timer) };
    },
  };
}

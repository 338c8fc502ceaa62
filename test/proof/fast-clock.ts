import type { Clock } from "../../packages/agent-core/src/clock/index.ts";

/** How much faster than the machine's it runs: the waits between a webhook's tries come to 0.4 s. */
export const WEBHOOK_SPEED = 30;
/** From this on a timer is a limit on an answer, not a wait (`TIMEOUT_MS`). It gets 1 s, so that a busy machine is no silent receiver. */
const LIMIT_FROM_MS = 10_000;
const LIMIT_MS = 1_000;

/** A clock that runs `speed` times as fast as the machine's since `epoch` (epoch milliseconds), its waits included. */
export function steadyClock(epoch: number, speed: number): Clock {
  return {
    now: () => Math.round(epoch + (Date.now() - epoch) * speed),
    setTimeout(run, ms, options) {
      const timer = setTimeout(run, ms / speed);
      if (options?.background === true) timer.unref();
      return { cancel: () => clearTimeout(timer) };
    },
  };
}

/** A clock for webhooks: it runs `speed` times as fast as the machine's since `epoch` (epoch milliseconds), for every process alike. */
export function fastClock(epoch: number, speed: number): Clock {
  return {
    now: () => epoch + (Date.now() - epoch) * speed,
    setTimeout(run, ms, options) {
      const timer = setTimeout(run, ms < LIMIT_FROM_MS ? ms / speed : LIMIT_MS);
      if (options?.background === true) timer.unref();
      return { cancel: () => clearTimeout(timer) };
    },
  };
}

import type { Clock, Timer } from "../../clock/index.ts";
import type { RunningCall } from "./running-call.ts";

/** Calls that are held at once, and how long each (M10). */
const MAX_HELD = 64;
const HELD_MS = 24 * 3_600_000;

/** Calls of all servers whose connection waits while a person is asked. They end with the process. */
export class HeldCalls {
  readonly #clock: Clock;
  readonly #held = new Map<string, { readonly call: RunningCall; readonly timer: Timer }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Holds a call; false: too many are held. */
  hold(callId: string, call: RunningCall): boolean {
    if (this.#held.size >= MAX_HELD) return false;
    const expire = (): void => {
      this.take(callId)?.abort(new Error("the question was not answered within a day"));
    };
    const timer = this.#clock.setTimeout(expire, HELD_MS, { background: true });
    this.#held.set(callId, { call, timer });
    return true;
  }

  take(callId: string): RunningCall | undefined {
    const held = this.#held.get(callId);
    held?.timer.cancel();
    this.#held.delete(callId);
    return held?.call;
  }

  /** Cancels the calls of a task that has ended. */
  endTask(taskId: string): void {
    for (const [callId, { call }] of this.#held)
      if (call.taskId === taskId) this.take(callId)?.abort(new Error("the task has ended"));
  }

  /** Cancels all. */
  end(): void {
    for (const callId of [...this.#held.keys()]) this.take(callId)?.abort(new Error("the service stops"));
  }
}

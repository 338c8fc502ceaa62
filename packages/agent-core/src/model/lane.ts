import { type Clock, systemClock, type Timer } from "../clock/index.ts";
import { ModelError } from "./model-error.ts";
import type { Model, ModelCallOptions, ModelEvent, ModelPriority, ModelRequest } from "./model-port.ts";

/** How wide a lane is (document 3 `model.max_inflight` and its siblings). */
export interface LaneOptions {
  /** Calls at once; 0 is no limit. */
  readonly maxInflight: number;
  /** Milliseconds a caller may wait for a slot. */
  readonly queueTimeoutMs: number;
  /** Slots that only interactive callers may take; clamped to `maxInflight` minus 1. */
  readonly reserve: number;
  readonly clock?: Clock;
}

/**
 * Lets only so many calls through to a model at once; the others wait in order, interactive callers first. Each result
 * is one lane: wrap a connection once and share it. A slot is held from the first event asked for until the call ends,
 * fails or is left. Waiting too long rejects with `ModelError` (`lane_timeout`); an abort ends the wait at once.
 */
export function withLane(model: Model, options: LaneOptions): Model {
  if (options.maxInflight <= 0) return model;
  const lane = new Lane(options);
  return {
    stream: (request, callOptions) => ({
      [Symbol.asyncIterator]: () => new LaneCall(model, lane, request, callOptions),
    }),
  };
}

type Result = IteratorResult<ModelEvent, undefined>;

interface Waiter {
  readonly admit: () => void;
}

class Lane {
  readonly #maxInflight: number;
  readonly #open: { readonly [priority in ModelPriority]: number };
  readonly #queueTimeoutMs: number;
  readonly #clock: Clock;
  readonly #waiting: { readonly [priority in ModelPriority]: Set<Waiter> } = {
    interactive: new Set(),
    background: new Set(),
  };
  #taken = 0;

  constructor(options: LaneOptions) {
    this.#maxInflight = options.maxInflight;
    const reserve = Math.max(0, Math.min(options.reserve, options.maxInflight - 1));
    this.#open = { interactive: options.maxInflight, background: options.maxInflight - reserve };
    this.#queueTimeoutMs = options.queueTimeoutMs;
    this.#clock = options.clock ?? systemClock();
  }

  /** Takes a slot now if there is one; undefined means to wait for the promise. */
  enter(priority: ModelPriority, signal: AbortSignal): Promise<void> | undefined {
    if (this.#taken < this.#open[priority] && this.#waiting[priority].size === 0) {
      this.#taken += 1;
      return undefined;
    }
    return this.#wait(priority, signal);
  }

  leave(): void {
    this.#taken -= 1;
    this.#admit();
  }

  #wait(priority: ModelPriority, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting[priority];
      const onAbort = (): void => {
        stop();
        reject(signal.reason);
      };
      const timer: Timer = this.#clock.setTimeout(() => {
        stop();
        const message = `no slot among ${this.#maxInflight} model calls within ${this.#queueTimeoutMs} ms`;
        reject(new ModelError("lane_timeout", message));
      }, this.#queueTimeoutMs);
      const waiter: Waiter = {
        admit: () => {
          stop();
          resolve();
        },
      };
      function stop(): void {
        queue.delete(waiter);
        timer.cancel();
        signal.removeEventListener("abort", onAbort);
      }
      signal.addEventListener("abort", onAbort, { once: true });
      queue.add(waiter);
    });
  }

  #admit(): void {
    for (const priority of ["interactive", "background"] as const) {
      for (const waiter of this.#waiting[priority]) {
        if (this.#taken >= this.#open[priority]) break;
        this.#taken += 1;
        waiter.admit();
      }
    }
  }
}

class LaneCall implements AsyncIterator<ModelEvent, undefined> {
  readonly #model: Model;
  readonly #lane: Lane;
  readonly #request: ModelRequest;
  readonly #options: ModelCallOptions;
  #call: AsyncIterator<ModelEvent, undefined> | undefined;
  #state: "outside" | "inside" | "over" = "outside";

  constructor(model: Model, lane: Lane, request: ModelRequest, options: ModelCallOptions) {
    this.#model = model;
    this.#lane = lane;
    this.#request = request;
    this.#options = options;
  }

  async next(): Promise<Result> {
    if (this.#state === "over") return { done: true, value: undefined };
    const { signal, priority } = this.#options;
    if (this.#state === "outside") {
      signal.throwIfAborted();
      const waiting = this.#lane.enter(priority ?? "background", signal);
      if (waiting !== undefined) await waiting;
      this.#state = "inside";
    }
    try {
      this.#call ??= this.#model.stream(this.#request, this.#options)[Symbol.asyncIterator]();
      const result = await this.#call.next();
      if (result.done === true) this.#leave();
      return result;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  async return(): Promise<Result> {
    try {
      await this.#call?.return?.();
    } finally {
      this.#leave();
    }
    return { done: true, value: undefined };
  }

  #leave(): void {
    const wasInside = this.#state === "inside";
    this.#state = "over";
    if (wasInside) this.#lane.leave();
  }
}

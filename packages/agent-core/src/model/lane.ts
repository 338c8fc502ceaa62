import type { Clock, Timer } from "../clock/index.ts";
import type { LogDecision } from "../log/index.ts";
import { ModelError } from "./model-error.ts";
import type { ModelPriority } from "./model-port.ts";
import { WaitWindow } from "./wait-window.ts";

/** How wide lanes are (B52 `model.max_inflight` and its siblings). */
export interface LaneSettings {
  /** Calls at once; 0 is no limit. */
  readonly maxInflight: number;
  /** Milliseconds a caller may wait for a slot. */
  readonly queueTimeoutMs: number;
  /** Slots that only interactive callers may take; clamped to `maxInflight` minus 1. */
  readonly reserve: number;
}

/** One lane at a moment (B46). Times are milliseconds. */
export interface LaneSnapshot {
  /** The connection's id. */
  readonly lane: string;
  readonly limit: number;
  /** As clamped. */
  readonly reserve: number;
  readonly inflight: number;
  readonly queued: number;
  readonly queuedByPriority: Readonly<Record<ModelPriority, number>>;
  /** How long the oldest waiting call has waited; 0 when none waits. */
  readonly oldestWaitMs: number;
  /** Of the calls admitted in the last five minutes, those that did not wait included; null when there were none. */
  readonly waitP50Ms: number | null;
  readonly waitP90Ms: number | null;
  /** Callers that gave up waiting in the last five minutes. */
  readonly queueTimeouts: number;
  /** The queue has not been empty for 60 seconds (B46). */
  readonly saturated: boolean;
}

/** The order in which waiting callers are served. */
export const PRIORITIES: readonly ModelPriority[] = ["interactive", "default", "bulk"];

/** How often callers of a higher priority may go before one that waits. */
const MAX_PASSES: Readonly<Record<ModelPriority, number>> = { interactive: 0, default: 4, bulk: 16 };

/** How long the queue must be non-empty, without a break, until a lane is saturated. */
const SATURATED_MS = 60_000;

interface Waiter {
  readonly since: number;
  readonly grant: () => void;
}

/**
 * Limits the concurrent calls of one connection.
 *
 * Invariants: (1) never more running calls than the limit; (2) of these, never more than the limit minus the reserve are
 * other than interactive; (3) no slot stays free while a call waits that may take it; (4) a waiting call is passed over
 * by higher priorities a bounded number of times; (5) calls of one priority start in the order they came; (6) a wait
 * ends by a grant, abort or timeout, exactly once, and leaves no timer.
 */
export class Lane {
  readonly #name: string;
  readonly #settings: () => LaneSettings;
  readonly #clock: Clock;
  readonly #debug: LogDecision | undefined;
  readonly #waiting: Readonly<Record<ModelPriority, Set<Waiter>>> = {
    interactive: new Set(),
    default: new Set(),
    bulk: new Set(),
  };
  readonly #passes: Record<ModelPriority, number> = { interactive: 0, default: 0, bulk: 0 };
  readonly #waits: WaitWindow;
  readonly #timeouts: WaitWindow;
  #taken = 0;
  #takenByOthers = 0;
  /** Since when the queue is not empty. */
  #queuedSince: number | undefined;

  constructor(name: string, settings: () => LaneSettings, clock: Clock, debug?: LogDecision) {
    this.#name = name;
    this.#debug = debug;
    this.#settings = settings;
    this.#clock = clock;
    this.#waits = new WaitWindow(clock);
    this.#timeouts = new WaitWindow(clock);
  }

  /** Undefined: a slot was free and is taken; else resolves when one is. Rejects on abort and timeout. */
  acquire(priority: ModelPriority, signal: AbortSignal): Promise<void> | undefined {
    if (this.#hasSlot(priority) && this.#waiting[priority].size === 0) {
      this.#take(priority);
      this.#waits.add(0);
      return undefined;
    }
    return this.#wait(priority, signal);
  }

  /** Releases a slot that was acquired with this priority. */
  release(priority: ModelPriority): void {
    this.#taken -= 1;
    if (priority !== "interactive") this.#takenByOthers -= 1;
    this.grantWaiting();
  }

  /** Grants free slots to waiting calls; also called after the settings have changed. */
  grantWaiting(): void {
    for (let priority = this.#next(); priority !== undefined; priority = this.#next()) {
      const [waiter] = this.#waiting[priority];
      if (waiter === undefined) return;
      this.#take(priority);
      const waitedMs = this.#clock.now() - waiter.since;
      this.#waits.add(waitedMs);
      this.#debug?.({ lane: this.#name, priority, wait_ms: waitedMs }, "model call has its slot");
      this.#passes[priority] = 0;
      for (const lower of PRIORITIES.slice(PRIORITIES.indexOf(priority) + 1))
        if (this.#waiting[lower].size > 0) this.#passes[lower] += 1;
      waiter.grant();
    }
  }

  snapshot(): LaneSnapshot {
    const { limit, reserve } = this.#bounds();
    const now = this.#clock.now();
    const queuedByPriority = { interactive: 0, default: 0, bulk: 0 };
    let oldestWaitMs = 0;
    for (const priority of PRIORITIES) {
      queuedByPriority[priority] = this.#waiting[priority].size;
      const [first] = this.#waiting[priority];
      if (first !== undefined) oldestWaitMs = Math.max(oldestWaitMs, now - first.since);
    }
    const queued = queuedByPriority.interactive + queuedByPriority.default + queuedByPriority.bulk;
    const [waitP50Ms = null, waitP90Ms = null] = this.#waits.percentiles(0.5, 0.9);
    return {
      lane: this.#name,
      limit,
      reserve,
      inflight: this.#taken,
      queued,
      queuedByPriority,
      oldestWaitMs,
      waitP50Ms,
      waitP90Ms,
      queueTimeouts: this.#timeouts.count(),
      saturated: this.#queuedSince !== undefined && now - this.#queuedSince >= SATURATED_MS,
    };
  }

  #bounds(): { readonly limit: number; readonly reserve: number } {
    const { maxInflight: limit, reserve } = this.#settings();
    return { limit, reserve: Math.max(0, Math.min(reserve, limit - 1)) };
  }

  #hasSlot(priority: ModelPriority): boolean {
    const { limit, reserve } = this.#bounds();
    if (limit <= 0) return true;
    return this.#taken < limit && (priority === "interactive" || this.#takenByOthers < limit - reserve);
  }

  #take(priority: ModelPriority): void {
    this.#taken += 1;
    if (priority !== "interactive") this.#takenByOthers += 1;
  }

  /** The next priority: the lowest that was passed over too often, else the highest that waits. */
  #next(): ModelPriority | undefined {
    const able = PRIORITIES.filter((priority) => this.#waiting[priority].size > 0 && this.#hasSlot(priority));
    const patient = able.findLast((priority) => this.#passes[priority] >= MAX_PASSES[priority]);
    return patient ?? able[0];
  }

  #wait(priority: ModelPriority, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting[priority];
      const { maxInflight, queueTimeoutMs } = this.#settings();
      const stop = (): void => {
        queue.delete(waiter);
        if (PRIORITIES.every((one) => this.#waiting[one].size === 0)) this.#queuedSince = undefined;
        timer.cancel();
        signal.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => {
        stop();
        reject(signal.reason);
      };
      const timer: Timer = this.#clock.setTimeout(() => {
        stop();
        this.#timeouts.add(queueTimeoutMs);
        this.#debug?.({ lane: this.#name, priority, wait_ms: queueTimeoutMs }, "model call got no slot in time");
        const message = `${this.#name}: no slot among ${maxInflight} model calls within ${queueTimeoutMs} ms`;
        reject(new ModelError("lane_timeout", message));
      }, queueTimeoutMs);
      const waiter: Waiter = {
        since: this.#clock.now(),
        grant: () => {
          stop();
          resolve();
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      queue.add(waiter);
      this.#debug?.({ lane: this.#name, priority, inflight: this.#taken }, "model call waits for a slot");
      this.#queuedSince ??= waiter.since;
    });
  }
}

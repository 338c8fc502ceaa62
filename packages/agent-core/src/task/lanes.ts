/**
 * Who runs when (E4; rulings A9, S7): one running task per context in order of arrival, a bounded number at a time.
 *
 * Invariants
 *  L1  A context has at most one holder; the others wait behind it in order of arrival.
 *  L2  At most `maxRunning` holders run; holders beyond that wait for a slot, in the order they got their context. Those
 *      without a slot do not count and do not wait: somebody who has one waits for them, or bounds them otherwise.
 *  L3  A context without holder and waiters takes no memory.
 */

import { ReleasingMap } from "../collection/index.ts";

/** Somebody who wants to run in a context. */
export interface Waiter {
  readonly id: string;
  /** The context's key. */
  readonly key: string;
  /** Runs without a slot (L2). */
  readonly slotless?: boolean;
  /** Called once, when it may run. */
  run(): void;
}

interface Lane {
  holder: Waiter;
  readonly queue: Waiter[];
}

/** Contexts and slots. */
export class Lanes {
  readonly #maxRunning: number;
  readonly #lanes = new ReleasingMap<Lane>();
  readonly #ready: Waiter[] = [];
  readonly #running = new Set<string>();
  /** Those that run without a slot. */
  readonly #beside = new Set<string>();
  #waiting = 0;
  #closed = false;

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** Waiters behind the holder of a context. */
  waitingIn(key: string): number {
    return this.#lanes.get(key)?.queue.length ?? 0;
  }

  /** Everybody who wants to run and does not. */
  get waiting(): number {
    return this.#waiting + this.#ready.length;
  }

  /** Holders that run, with and without a slot. */
  get running(): number {
    return this.#running.size + this.#beside.size;
  }

  /** Whether somebody entering this context now would run at once. */
  free(key: string, slotless = false): boolean {
    return !this.#closed && !this.#lanes.has(key) && (slotless || this.#running.size < this.#maxRunning);
  }

  /** Whether anybody runs in this context or waits for it. */
  held(key: string): boolean {
    return this.#lanes.has(key);
  }

  /** Lets nobody run from now on; who runs goes on. */
  close(): void {
    this.#closed = true;
  }

  /** Takes the context and a slot at once; only when `free`. Its `run` is not called. */
  take(waiter: Waiter): void {
    if (!this.free(waiter.key, waiter.slotless)) throw new Error(`context ${waiter.key} is not free`);
    this.#lanes.set(waiter.key, { holder: waiter, queue: [] });
    (waiter.slotless === true ? this.#beside : this.#running).add(waiter.id);
  }

  /** Gets in line; `run` is called when its turn comes, at once if it can. */
  enter(waiter: Waiter): void {
    const lane = this.#lanes.get(waiter.key);
    if (lane !== undefined) {
      lane.queue.push(waiter);
      this.#waiting++;
      return;
    }
    this.#hold(waiter);
  }

  /** Ends a holder's run, or withdraws a waiter. Unknown ids are ignored. */
  leave(id: string, key: string): void {
    const lane = this.#lanes.get(key);
    if (lane === undefined) return;
    if (lane.holder.id !== id) {
      const at = lane.queue.findIndex((waiter) => waiter.id === id);
      if (at >= 0) {
        lane.queue.splice(at, 1);
        this.#waiting--;
      }
      return;
    }
    if (!this.#running.delete(id) && !this.#beside.delete(id)) {
      const at = this.#ready.findIndex((waiter) => waiter.id === id);
      if (at >= 0) this.#ready.splice(at, 1);
    }
    this.#lanes.delete(key);
    const next = lane.queue.shift();
    if (next !== undefined) {
      this.#waiting--;
      this.#lanes.set(key, { holder: next, queue: lane.queue });
      this.#begin(next);
    }
    this.#pump();
  }

  #hold(waiter: Waiter): void {
    this.#lanes.set(waiter.key, { holder: waiter, queue: [] });
    this.#begin(waiter);
    this.#pump();
  }

  #begin(holder: Waiter): void {
    if (holder.slotless !== true || this.#closed) {
      this.#ready.push(holder);
      return;
    }
    this.#beside.add(holder.id);
    holder.run();
  }

  #pump(): void {
    while (!this.#closed && this.#ready.length > 0 && this.#running.size < this.#maxRunning) {
      const next = this.#ready.shift()!;
      this.#running.add(next.id);
      next.run();
    }
  }
}

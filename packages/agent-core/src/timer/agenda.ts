/**
 * What is due when, in memory: keys with times, in a heap over one timer of the clock.
 *
 * Invariants
 *  DT5  At most so many keys run at once, and one never beside itself: due again while it runs, it runs afterwards.
 *  DT6  The clock on the wall is looked at every 30 s, so that a machine that slept or a clock that was set is noticed.
 */
import type { Clock, Timer } from "../clock/index.ts";

export interface AgendaOptions {
  readonly clock: Clock;
  /** How many keys run at once. */
  readonly most: number;
  /** Runs what is due; handles its own failures. It may set its key again. */
  readonly run: (key: string) => Promise<void>;
}

interface Entry {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Equal times run in the order they were set. */
  readonly order: number;
}

const LOOK_MS = 30_000;
/** Entries that were replaced or taken away leave the heap when they come to its top, or when there are this many and half of it. */
const STALE = 64;

export class Agenda {
  readonly #options: AgendaOptions;
  readonly #entries = new Map<string, Entry>();
  #heap: Entry[] = [];
  readonly #running = new Map<string, Promise<void>>();
  #orders = 0;
  #armed: { readonly entry: Entry; readonly timer: Timer } | undefined;
  #stopped = false;

  constructor(options: AgendaOptions) {
    this.#options = options;
  }

  /** Sets when a key is due, in the place of when it was. */
  set(key: string, at: number): void {
    const entry = { key, at, order: this.#orders++ };
    this.#entries.set(key, entry);
    this.#sweep();
    // A key that runs comes into the heap afterwards.
    if (!this.#running.has(key)) this.#push(entry);
    this.#arm();
  }

  /** Takes a key away; does not stop it where it runs. */
  delete(key: string): void {
    this.#entries.delete(key);
    this.#arm();
  }

  /** Starts nothing any more; resolves once nothing runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#disarm();
    await Promise.all(this.#running.values());
  }

  #isStale(entry: Entry): boolean {
    return this.#entries.get(entry.key) !== entry;
  }

  #first(): Entry | undefined {
    while (this.#heap[0] !== undefined && this.#isStale(this.#heap[0])) this.#pop();
    return this.#heap[0];
  }

  #disarm(): void {
    this.#armed?.timer.cancel();
    this.#armed = undefined;
  }

  #arm(): void {
    const first = this.#stopped || this.#running.size >= this.#options.most ? undefined : this.#first();
    if (first === this.#armed?.entry) return;
    this.#disarm();
    if (first === undefined) return;
    const { clock } = this.#options;
    const delay = Math.min(Math.max(0, first.at - clock.now()), LOOK_MS);
    this.#armed = { entry: first, timer: clock.setTimeout(() => this.#look(), delay, { background: true }) };
  }

  #look(): void {
    this.#disarm();
    const now = this.#options.clock.now();
    while (!this.#stopped && this.#running.size < this.#options.most) {
      const first = this.#first();
      if (first === undefined || first.at > now) break;
      this.#pop();
      this.#entries.delete(first.key);
      this.#start(first.key);
    }
    this.#arm();
  }

  #start(key: string): void {
    const done = this.#options.run(key).finally(() => {
      this.#running.delete(key);
      const again = this.#entries.get(key);
      if (again !== undefined) this.#push(again);
      this.#look();
    });
    this.#running.set(key, done);
  }

  #sweep(): void {
    if (this.#heap.length < STALE + 2 * this.#entries.size) return;
    const current = this.#heap.filter((entry) => !this.#isStale(entry));
    this.#heap = current.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(entry, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (child >= heap.length || !isBefore(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/**
 * Publishes changes to subscribers (O7): consoles, the command line, plugins. An event only announces that a resource
 * has changed; subscribers read the resource itself.
 *
 * Invariants
 *  EL1  `publish` never fails and never waits, however slow a reader is.
 *  EL2  Events are numbered 1, 2, 3… within an epoch. A reader gets every number above its cursor, in order, or
 *       `stream.gap` instead of those that are not kept any more.
 *  EL3  What is kept is bounded by count, bytes and age. A reader holds a cursor and nothing else.
 */
import type { Clock } from "../clock/index.ts";
import type { JsonObject } from "../json/index.ts";
import type { Redactor } from "../redaction/index.ts";
import { BusEvent } from "./bus-event.ts";
import type { EventBus } from "./event-bus.ts";
import { ReaderWait } from "./reader-wait.ts";

export interface EventLogOptions {
  /** Of the store's lease, or whatever else differs after every start. */
  readonly epoch: number;
  readonly clock: Pick<Clock, "now">;
  readonly redactor: Redactor;
  /** Called with what could not be published: a fault of the publisher. */
  readonly warn?: (message: string) => void;
  /** Smaller bounds than the defaults. */
  readonly bounds?: Partial<EventLogBounds>;
}

export interface EventLogBounds {
  /** Default 16,384. */
  readonly events: number;
  /** Default 8 MiB. */
  readonly bytes: number;
  /** Milliseconds; default 24 hours (O7). */
  readonly ageMs: number;
}

/** Why a cursor cannot be resumed from: its epoch is over, it is too old, it was never given out. */
type GapReason = "restarted" | "expired" | "unknown";

const DEFAULT_BOUNDS: EventLogBounds = { events: 16_384, bytes: 8 * 1024 * 1024, ageMs: 24 * 3_600_000 };
/** Characters of an event's data. */
const MAX_DATA = 64 * 1024;
const LEFT_OUT = '{"truncated":true}';
/** Bytes of a page, exceeded by one event at most. */
const PAGE_BYTES = 64 * 1024;
/** Empty slots at the start of the list before it is compacted. */
const MAX_EMPTY = 1024;

/** The bus, and what is kept of it for readers that come back. */
export class EventLog implements EventBus {
  readonly #options: EventLogOptions;
  readonly #bounds: EventLogBounds;
  /** What is kept, oldest first and without gaps, from index `#first` on; it ends with event `#head`. */
  #kept: (BusEvent | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  #head = 0;
  /** No reader yet, so no cursor exists and nothing has to be kept. */
  #unread = true;
  #waiters: (() => void)[] = [];
  #waking = false;
  #closed = false;
  readonly #wake = (): void => {
    this.#waking = false;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  };

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  }

  /** The present as a cursor: who resumes with it gets what is published from now on. */
  get cursor(): string {
    return `${this.#options.epoch}-${this.#head}`;
  }

  /** False before the first subscription: publishers can skip work for their events. */
  get watched(): boolean {
    return !this.#unread;
  }

  publish(topic: string, data: JsonObject): void {
    if (this.#unread) {
      this.#head++;
      return;
    }
    try {
      this.#keep(topic, JSON.stringify(data));
    } catch (error) {
      this.#options.warn?.(`the event ${topic} could not be published: ${String(error)}`);
    }
    if (this.#waking || this.#waiters.length === 0) return;
    this.#waking = true;
    // What is published in one go wakes readers once, and not in the publisher's time.
    setImmediate(this.#wake);
  }

  /**
   * Events after a cursor, in pages, live until the signal aborts. Without a cursor: from now on. With one that cannot be
   * resumed from: from now on, after a `stream.gap` event, upon which its reader reads again what it shows. So does a
   * reader so slow that its next event was dropped.
   */
  follow(since: string | undefined, signal: AbortSignal): AsyncGenerator<readonly BusEvent[]> {
    this.#unread = false;
    return this.#follow(since === undefined ? this.#head : this.#positionOf(since), signal);
  }

  /** Ends every reading once it has what was published. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *#follow(from: number | GapReason, signal: AbortSignal): AsyncGenerator<readonly BusEvent[]> {
    let position = from;
    const wait = new ReaderWait(signal);
    try {
      while (!signal.aborted) {
        const page = typeof position === "number" ? this.#after(position) : position;
        if (typeof page === "string") {
          position = this.#head;
          yield [this.#gap(page)];
        } else if (page.length > 0) {
          position = page.at(-1)!.seq;
          yield page;
        } else if (this.#closed) {
          return;
        } else {
          this.#waiters.push(wait.wake);
          await wait.next();
        }
      }
    } finally {
      wait.close();
      const at = this.#waiters.indexOf(wait.wake);
      if (at >= 0) this.#waiters.splice(at, 1);
    }
  }

  #positionOf(cursor: string): number | GapReason {
    const [, epoch, seq] = /^(\d{1,16})-(\d{1,16})$/.exec(cursor) ?? [];
    if (epoch === undefined) return "unknown";
    if (Number(epoch) !== this.#options.epoch) return "restarted";
    return Number(seq) > this.#head ? "unknown" : Number(seq);
  }

  #after(position: number): readonly BusEvent[] | GapReason {
    if (position >= this.#head) return [];
    this.#dropOld();
    const count = this.#kept.length - this.#first;
    if (position < this.#head - count) return "expired";
    const page: BusEvent[] = [];
    let bytes = 0;
    for (let at = this.#kept.length - (this.#head - position); at < this.#kept.length && bytes < PAGE_BYTES; at++) {
      const event = this.#kept[at]!;
      page.push(event.render(this.#options.redactor));
      bytes += event.size;
    }
    return page;
  }

  #gap(reason: GapReason): BusEvent {
    const { epoch, clock, redactor } = this.#options;
    const position = { epoch, seq: this.#head, at: clock.now() };
    return new BusEvent(position, "stream.gap", JSON.stringify({ reason })).render(redactor);
  }

  #keep(topic: string, data: string): void {
    const { epoch, clock } = this.#options;
    const position = { epoch, seq: this.#head + 1, at: clock.now() };
    const event = new BusEvent(position, topic, data.length > MAX_DATA ? LEFT_OUT : data);
    this.#head++;
    this.#kept.push(event);
    this.#bytes += event.size;
    this.#dropOld();
  }

  #dropOld(): void {
    const { events, bytes, ageMs } = this.#bounds;
    const before = this.#options.clock.now() - ageMs;
    for (;;) {
      const oldest = this.#kept[this.#first];
      if (oldest === undefined) break;
      if (this.#kept.length - this.#first <= events && this.#bytes <= bytes && oldest.at >= before) break;
      this.#bytes -= oldest.size;
      this.#kept[this.#first++] = undefined;
    }
    if (this.#first < MAX_EMPTY || this.#first * 2 < this.#kept.length) return;
    this.#kept = this.#kept.slice(this.#first);
    this.#first = 0;
  }
}

/**
 * Readers that lag behind the journal (R2): turn rows, the audit log, traces. They take what they need of a commit when it
 * is published, and write it later in batches; what a killed process left unwritten is read from the store.
 *
 * Invariants
 *  PJ1  A commit costs each reader one synchronous look; no task waits for a reader.
 *  PJ2  What was committed is written at least once, whenever the process is killed. A reader writes by a key made of
 *       task and number, so there is one row. A reader is asked for one flush at a time.
 *  PJ3  What waits to be written is bounded (EN10). What does not fit is left to the store: the cursor stays, and the
 *       reader catches up once it can write again.
 */
import type { Clock, Timer } from "../clock/index.ts";
import { applyEvent, type CommittedEvent, emptyView, type TaskView } from "../event/index.ts";
import { type EndedTask, type EventSource, endedTasks, type Journal, storedEvents } from "../journal/index.ts";

/** What a reader takes of commits, and how it writes that. */
export interface JournalReader {
  /** For people. */
  readonly name: string;
  /** Takes what it wants of a commit; returns how many entries wait to be written because of it. Must not throw. */
  take(view: Readonly<TaskView>, events: readonly CommittedEvent[]): number;
  /**
   * Writes what was taken before the call. `upTo`: everything committed before that time (epoch milliseconds) is among
   * it, so the cursor may move there; undefined: something is missing, the cursor must stay.
   */
  flush(upTo: number | undefined): Promise<void>;
  /** Up to which time a former process wrote; undefined: nothing was ever written. */
  cursor(): Promise<number | undefined>;
  /** Of these tasks those whose end it has written already. */
  written(tasks: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Takes what it wants of a task read from the store: the view after all of `events`. What happened after `until`
   * (epoch milliseconds) came as a commit too.
   */
  replay(view: Readonly<TaskView>, events: readonly CommittedEvent[], until: number): void;
}

export interface JournalFeedOptions {
  readonly journal: Pick<Journal, "onCommit" | "openTaskIds">;
  readonly source: EventSource;
  readonly clock: Clock;
  readonly log: { warn(message: string): void };
}

/** Longest time an entry waits to be written. */
const FLUSH_MS = 1_000;
/** Entries that are written at once. */
const FLUSH_ENTRIES = 500;
/** Entries that may wait for a reader that cannot write. */
const MAX_WAITING = 10_000;
/** Time before the cursor that is looked at again: commits arrive a little after the time they bear. */
const OVERLAP_MS = 60_000;
/** Time a shutdown gives all readers together. */
const STOP_MS = 3_000;
/** Tasks per batch of catching up. */
const BATCH = 100;

class ReaderFeed {
  readonly reader: JournalReader;
  readonly #options: JournalFeedOptions;
  #waiting = 0;
  #timer: Timer | undefined;
  #writing: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #flushed: Promise<void> = Promise.resolve();
  /** Something was not taken (PJ3). */
  #missing = false;
  /** What happens after this time comes as a commit; reading back ends there, or it would chase what is being written. */
  #heardFrom: number;
  #caughtUp = false;
  #stopped = false;
  #complained = false;

  constructor(reader: JournalReader, options: JournalFeedOptions) {
    this.reader = reader;
    this.#options = options;
    this.#heardFrom = options.clock.now();
  }

  commit(view: Readonly<TaskView>, events: readonly CommittedEvent[]): void {
    if (this.#waiting >= MAX_WAITING) {
      this.#missing = true;
      return;
    }
    const taken = this.reader.take(view, events);
    if (taken === 0) return;
    this.#waiting += taken;
    if (this.#waiting >= FLUSH_ENTRIES) void this.#write();
    else this.#timer ??= this.#options.clock.setTimeout(() => void this.#write(), FLUSH_MS, { background: true });
  }

  /** Reads what a former process left, or what did not fit. Never rejects. */
  catchUp(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#reading ??= this.#catchUp().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #catchUp(): Promise<void> {
    try {
      // What does not fit from here on is missing again.
      if (this.#missing) this.#heardFrom = this.#options.clock.now();
      this.#missing = false;
      this.#caughtUp = await this.#readBack();
      await this.#write();
    } catch (error) {
      this.#complain(error);
    }
  }

  /** Resolves when everything taken so far is written, or cannot be. */
  async idle(): Promise<void> {
    await this.#writing;
    if (this.#waiting > 0) await this.#write();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#reading;
    await this.idle();
    this.#timer?.cancel();
  }

  #write(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#writing ??= this.#flush().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #flush(): Promise<void> {
    const { clock } = this.#options;
    const count = this.#waiting;
    const complete = this.#caughtUp && !this.#missing;
    try {
      await this.#flushReader(complete ? clock.now() : undefined);
      this.#waiting -= count;
      this.#complained = false;
    } catch (error) {
      this.#complain(error);
    }
    if (this.#stopped) return;
    if (this.#missing && this.#waiting === 0) void this.catchUp();
    else if (this.#waiting > 0)
      this.#timer ??= clock.setTimeout(() => void this.#write(), FLUSH_MS, { background: true });
  }

  /** @returns false when it was stopped before the end */
  async #readBack(): Promise<boolean> {
    const { journal, source } = this.#options;
    const until = this.#heardFrom;
    const cursor = await this.reader.cursor();
    for (const id of await journal.openTaskIds()) await this.#replay(id, until);
    let last: EndedTask = { at: Math.max(0, (cursor ?? 0) - OVERLAP_MS), id: "" };
    for (;;) {
      const page = await endedTasks(source, last, BATCH);
      if (this.#stopped) return false;
      const ended = page.filter(({ at }) => at <= until);
      const final = ended.at(-1);
      if (final === undefined) return true;
      last = final;
      const written = await this.reader.written(ended.map(({ id }) => id));
      for (const { id } of ended) if (!written.has(id)) await this.#replay(id, until);
      await this.#flushReader(undefined);
    }
  }

  /** One flush at a time: a cursor may not move past what another flush is still writing (PJ2). */
  #flushReader(upTo: number | undefined): Promise<void> {
    const flushed = this.#flushed.then(() => this.reader.flush(upTo));
    this.#flushed = flushed.catch(() => {});
    return flushed;
  }

  async #replay(id: string, until: number): Promise<void> {
    const view = emptyView(id);
    const events: CommittedEvent[] = [];
    for await (const page of storedEvents(this.#options.source, id)) {
      for (const committed of page) {
        applyEvent(view, committed);
        const { kind } = committed.event;
        if (kind !== "text.delta" && kind !== "reasoning.delta") events.push(committed);
      }
    }
    if (view.seq > 0) this.reader.replay(view, events, until);
  }

  #complain(error: unknown): void {
    if (this.#complained) return;
    this.#complained = true;
    this.#options.log.warn(`${this.reader.name}: cannot be written now: ${String(error)}`);
  }
}

/** Feeds readers from the commits of a journal, and from its store where they missed commits. */
export class JournalFeed {
  readonly #options: JournalFeedOptions;
  readonly #caughtUp = Promise.withResolvers<void>();
  #isCaughtUp = false;
  #feeds: readonly ReaderFeed[] = [];
  #detach: () => void = () => {};

  constructor(options: JournalFeedOptions) {
    this.#options = options;
  }

  /** Begins to feed these readers: from the next commit on. Called once, before any task is accepted. */
  listen(readers: readonly JournalReader[]): void {
    this.#feeds = readers.map((reader) => new ReaderFeed(reader, this.#options));
    this.#detach = this.#options.journal.onCommit(({ view }, events) => {
      for (const feed of this.#feeds) feed.commit(view, events);
    });
  }

  /** Reads what a former process left unwritten (PJ2). Never rejects. */
  async catchUp(): Promise<void> {
    for (const feed of this.#feeds) await feed.catchUp();
    this.#isCaughtUp = true;
    this.#caughtUp.resolve();
  }

  /** Resolves after the first `catchUp`. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  /** As `idle`, with what a former process left: it is read now where it was not yet. */
  async whole(): Promise<void> {
    if (!this.#isCaughtUp) await this.catchUp();
    await this.idle();
  }

  /** Resolves when everything committed so far is written, or cannot be; `reader`: by that one. */
  async idle(reader?: JournalReader): Promise<void> {
    const feeds = reader === undefined ? this.#feeds : this.#feeds.filter((feed) => feed.reader === reader);
    await Promise.all(feeds.map((feed) => feed.idle()));
  }

  /** Writes what waits and listens no more; a reader that takes too long for that is left behind. */
  async stop(): Promise<void> {
    this.#detach();
    const late = Promise.withResolvers<void>();
    const timer = this.#options.clock.setTimeout(() => late.resolve(), STOP_MS, { background: true });
    await Promise.race([Promise.all(this.#feeds.map((feed) => feed.stop())), late.promise]);
    timer.cancel();
  }
}

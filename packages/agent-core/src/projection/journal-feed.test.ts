import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, reading } from "../core-bench.ts";
import { type CommittedEvent, isTerminalState, type TaskView } from "../event/index.ts";
import { manualClock, scriptedModel } from "../testing/index.ts";
import type { JournalReader } from "./journal-feed.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

/** What outlives the process: the ends that were written, each by its task, and the cursor. */
class Book {
  readonly ends = new Map<string, number>();
  cursor: number | undefined;
  broken = false;
}

class EndReader implements JournalReader {
  readonly name = "ends";
  readonly #book: Book;
  #waiting: string[] = [];
  readonly replayed: string[] = [];

  constructor(book: Book) {
    this.#book = book;
  }

  take(view: Readonly<TaskView>, events: readonly CommittedEvent[]): number {
    if (!isTerminalState(view.state) || events.length === 0) return 0;
    return this.#waiting.push(view.id) > 0 ? 1 : 0;
  }

  replay(view: Readonly<TaskView>, events: readonly CommittedEvent[]): void {
    this.replayed.push(view.id);
    this.take(view, events);
  }

  async flush(upTo: number | undefined): Promise<void> {
    if (this.#book.broken) throw new Error("the disk is full");
    for (const id of this.#waiting.splice(0)) this.#book.ends.set(id, (this.#book.ends.get(id) ?? 0) + 1);
    if (upTo !== undefined) this.#book.cursor = upTo;
  }

  async cursor(): Promise<number | undefined> {
    return this.#book.cursor;
  }

  async written(tasks: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(tasks.filter((task) => this.#book.ends.has(task)));
  }
}

test("what a killed process had not written is read from the store at the next start (PJ2)", async () => {
  const store = bench.newStore();
  const never = new Book();
  never.broken = true;
  const core = await bench.start({
    store,
    model: scriptedModel(() => "Done."),
    features: [reading(new EndReader(never))],
  });
  const ids: string[] = [];
  for (let i = 0; i < 110; i++) {
    const task = await core.tasks.start({ text: "go" });
    await task.settled();
    ids.push(task.id);
  }
  await bench.crash(core);

  const book = new Book();
  const second = await bench.start({
    store,
    model: scriptedModel(() => "Done."),
    features: [reading(new EndReader(book))],
  });
  await second.feed.catchUp();
  expect([...book.ends.keys()].sort()).toEqual(ids.sort());
  await second.stop();

  const reader = new EndReader(book);
  const third = await bench.start({ store, model: scriptedModel(() => "Done."), features: [reading(reader)] });
  await third.feed.catchUp();
  expect(reader.replayed).toEqual([]);
  expect([...book.ends.values()].every((count) => count === 1)).toBe(true);
});

test("entries are written after a second, and the cursor follows once the past is read", async () => {
  const clock = manualClock();
  const book = new Book();
  const core = await bench.start({
    model: scriptedModel(() => "Done."),
    features: [reading(new EndReader(book))],
    clock,
  });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  expect([...book.ends]).toEqual([]);
  await core.feed.catchUp();
  expect([...book.ends.keys()]).toEqual([task.id]);
  expect(book.cursor).toBe(clock.now());
});

test("what was received as a commit is not read back: catching up does not read tasks that end meanwhile", async () => {
  const clock = manualClock();
  const book = new Book();
  const reader = new EndReader(book);
  reader.written = async () => new Set();
  const core = await bench.start({ model: scriptedModel(() => "Done."), features: [reading(reader)], clock });
  await clock.advance(1);
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  await core.feed.catchUp();
  expect(reader.replayed).toEqual([]);
  expect([...book.ends]).toEqual([[task.id, 1]]);
});

test("a reader that cannot write keeps what waits, complains once, and loses nothing (PJ3)", async () => {
  const book = new Book();
  book.broken = true;
  const warnings: string[] = [];
  const core = await bench.start({
    model: scriptedModel(() => "Done."),
    features: [reading(new EndReader(book))],
    log: { info: () => {}, warn: (text) => warnings.push(text) },
  });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  await core.feed.idle();
  await core.feed.idle();
  expect(warnings).toEqual(["ends: cannot be written now: Error: the disk is full"]);
  book.broken = false;
  await core.feed.idle();
  expect([...book.ends]).toEqual([[task.id, 1]]);
});

test("one flush runs at a time, also while the past is read: a cursor never overtakes what is being written", async () => {
  const store = bench.newStore();
  const first = await bench.start({ store, model: scriptedModel(() => "Done."), features: [] });
  await (await first.tasks.start({ text: "go" })).settled();
  await bench.crash(first);

  const book = new Book();
  const gate = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const reader = new EndReader(book);
  const flush = reader.flush.bind(reader);
  reader.flush = async (upTo) => {
    running += 1;
    most = Math.max(most, running);
    await gate.promise;
    await flush(upTo);
    running -= 1;
  };
  const core = await bench.start({ store, model: scriptedModel(() => "Done."), features: [reading(reader)] });
  const catchingUp = core.feed.catchUp();
  await (await core.tasks.start({ text: "go" })).settled();
  const idle = core.feed.idle();
  gate.resolve();
  await Promise.all([catchingUp, idle]);
  expect(most).toBe(1);
  expect(book.ends.size).toBe(2);
});

test("a reader that hangs does not hold up a shutdown for long", async () => {
  const clock = manualClock();
  const reader = new EndReader(new Book());
  reader.flush = () => new Promise(() => {});
  const core = await bench.start({ model: scriptedModel(() => "Done."), features: [reading(reader)], clock });
  await (await core.tasks.start({ text: "go" })).settled();
  let stopped = false;
  const stopping = core.feed.stop().then(() => {
    stopped = true;
  });
  await clock.advance(2_999);
  expect(stopped).toBe(false);
  await clock.advance(1);
  await stopping;
});

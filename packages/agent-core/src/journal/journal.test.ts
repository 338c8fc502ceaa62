import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type Database, DatabaseError, type Failpoints, openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import { type CommittedEvent, foldEvents, NO_USAGE, type TaskEvent } from "../event/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import { JournalError } from "./journal-error.ts";
import { endedTasks } from "./read-events.ts";
import { TAIL_BYTES, type TaskRecord } from "./task-record.ts";

const folder = mkdtempSync(join(tmpdir(), "journal-"));
const opened: Database[] = [];
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Bench {
  readonly db: Database;
  readonly journal: Journal;
  readonly clock: ReturnType<typeof manualClock>;
}

async function open(options: Partial<JournalOptions> & { failpoints?: Failpoints; url?: string } = {}): Promise<Bench> {
  const { failpoints, url = ":memory:", ...more } = options;
  const clock = manualClock();
  const db = await openDatabase({ url, owner: { name: "test" }, failpoints, threads: benchThreads });
  opened.push(db);
  return { db, clock, journal: new Journal({ db, clock, ...more }) };
}

const input = { messageId: "m", parts: [{ kind: "text", text: "hi" }] } as const;
const accepted: TaskEvent = {
  kind: "task.accepted",
  class: "operator",
  context: "c",
  origin: "a2a",
  input,
  state: "running",
};
const completed: TaskEvent = { kind: "task.completed", usage: NO_USAGE, durationMs: 1 };
const delta = (text: string): TaskEvent => ({ kind: "text.delta", text });

/** Accepts a task. */
async function create({ journal }: Bench, id = "t"): Promise<TaskRecord> {
  const { record, committed } = journal.create(
    { id, class: "operator", context: "c", origin: "a2a", options: "{}" },
    { label: "accept", events: [accepted] },
  );
  await committed;
  return record;
}

const append = ({ journal }: Bench, record: TaskRecord, ...events: TaskEvent[]) =>
  journal.append(record, { label: "append", events });

async function replay({ journal }: Bench, record: TaskRecord, after = 0): Promise<CommittedEvent[]> {
  const events: CommittedEvent[] = [];
  for await (const page of journal.follow(record, after, new AbortController().signal)) events.push(...page);
  return events;
}

const never = new AbortController().signal;
const parked: TaskEvent = { kind: "task.parked", prompts: [] };

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Which of these are still referenced. */
async function inMemory(refs: readonly WeakRef<TaskRecord>[]): Promise<boolean[]> {
  // What a job has looked at stays until the job is over.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return refs.map((ref) => ref.deref() !== undefined);
}

describe("before its commit (EN1)", () => {
  test("an event is seen by no reader, no listener and no view", async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const hit = (name: string) => {
      if (name !== "append:before") return undefined;
      reached.resolve();
      return gate.promise;
    };
    const bench = await open({ failpoints: { hit } });
    const record = await create(bench);
    const published: number[] = [];
    bench.journal.onCommit((_, events) => published.push(...events.map(({ seq }) => seq)));
    const reader = bench.journal.follow(record, 1, never);
    const next = reader.next();
    const appending = append(bench, record, delta("secret"));
    await reached.promise;
    expect([record.view.seq, record.view.text, record.head]).toEqual([1, "", 2]);
    expect([record.recent(1), published]).toEqual([[], []]);
    expect(await bench.journal.eventsAfter(record, 0)).toHaveLength(1);
    gate.resolve();
    await appending;
    expect((await next).value).toMatchObject([{ seq: 2, event: { text: "secret" } }]);
    expect([record.view.text, published]).toEqual(["secret", [2]]);
    await reader.return(undefined);
  });

  test("a task does not exist when its acceptance fails", async () => {
    const hit = (name: string): void => {
      if (name === "accept:before") throw new DatabaseError("full", "the disk is full");
    };
    const bench = await open({ failpoints: { hit } });
    await expect(create(bench)).rejects.toMatchObject({ code: "full" });
    expect(await bench.journal.get("t")).toBeUndefined();
  });
});

describe("numbers (EN2, JO5)", () => {
  test("count 1, 2, 3… however many appends are in flight together", async () => {
    const bench = await open();
    const record = await create(bench);
    await Promise.all(Array.from({ length: 40 }, (_, i) => append(bench, record, delta(`${i}`), delta(`${i}+`))));
    await append(bench, record, completed);
    const events = await replay(bench, record);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 82 }, (_, i) => i + 1));
    const stored = await bench.db.read({ sql: "SELECT seq FROM event ORDER BY seq", args: [] });
    expect(stored.map(([seq]) => seq)).toEqual(events.map(({ seq }) => seq));
  });

  test("are taken again after an append that failed, and what was behind it fails too (JO6)", async () => {
    let fail = false;
    const hit = (name: string): void => {
      if (name === "append:before" && fail) {
        fail = false;
        throw new DatabaseError("full", "the disk is full");
      }
    };
    const bench = await open({ failpoints: { hit } });
    const record = await create(bench);
    fail = true;
    const results = await Promise.allSettled([1, 2, 3].map((i) => append(bench, record, delta(`${i}`))));
    expect(results.map((result) => (result.status === "rejected" ? result.reason.code : "ok"))).toEqual([
      "full",
      "expectation_failed",
      "expectation_failed",
    ]);
    expect([record.head, record.view.seq, record.inflight, record.broken]).toEqual([1, 1, 0, false]);
    await append(bench, record, delta("again"));
    await append(bench, record, completed);
    expect((await replay(bench, record)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test("a terminal event that could not be stored leaves the task open", async () => {
    let fail = true;
    const hit = (name: string): void => {
      if (name === "append:before" && fail) throw new DatabaseError("full", "the disk is full");
    };
    const bench = await open({ failpoints: { hit } });
    const record = await create(bench);
    await expect(append(bench, record, completed)).rejects.toMatchObject({ code: "full" });
    expect([record.ended, record.assigned]).toEqual([false, "running"]);
    fail = false;
    await append(bench, record, completed);
    expect(record.view.state).toBe("completed");
  });
});

describe("a terminal state (EN3)", () => {
  test("takes no further append, at once", async () => {
    const bench = await open();
    const record = await create(bench);
    const ending = append(bench, record, completed);
    await expect(append(bench, record, delta("late"))).rejects.toBeInstanceOf(JournalError);
    await ending;
    await expect(
      append(bench, record, { kind: "task.canceled", usage: NO_USAGE, durationMs: 1 }),
    ).rejects.toMatchObject({
      code: "task_ended",
    });
    expect(record.view).toMatchObject({ state: "completed", seq: 2 });
  });

  test("is not overwritten in the store either: the compare-and-set decides", async () => {
    const bench = await open();
    const record = await create(bench);
    const other = new Journal({ db: bench.db, clock: bench.clock });
    const copy = (await other.get("t"))!;
    await append(bench, record, completed);
    await expect(other.append(copy, { label: "other", events: [delta("late")] })).rejects.toMatchObject({
      code: "expectation_failed",
    });
    expect(await bench.db.read({ sql: "SELECT state, seq FROM task", args: [] })).toEqual([["completed", 2]]);
    expect(await bench.db.read({ sql: "SELECT count(*) FROM event", args: [] })).toEqual([[2]]);
  });
});

describe("readers (EN2)", () => {
  test("joining anywhere, reading at any pace, all get the same events under the same numbers", async () => {
    const bench = await open();
    let tasks = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.record({ joinAt: fc.nat({ max: 11 }), from: fc.nat({ max: 10 }), lazy: fc.boolean() }), {
          maxLength: 6,
        }),
        async (batches, readers) => {
          const id = `t${tasks++}`;
          const record = await create(bench, id);
          const reading: Promise<{ from: number; events: CommittedEvent[] }>[] = [];
          const join = async (from: number, lazy: boolean) => {
            const events: CommittedEvent[] = [];
            for await (const page of bench.journal.follow(record, from, never)) {
              events.push(...page);
              if (lazy) await new Promise((resolve) => setImmediate(resolve));
            }
            return { from, events };
          };
          for (const [i, count] of batches.entries()) {
            for (const reader of readers) if (reader.joinAt === i) reading.push(join(reader.from, reader.lazy));
            await append(bench, record, ...Array.from({ length: count }, (_, n) => delta(`${i}.${n}`)));
          }
          await append(bench, record, completed);
          const whole = await replay(bench, record);
          expect(foldEvents(id, whole)).toEqual(record.view);
          for (const { from, events } of await Promise.all(reading)) expect(events).toEqual(whole.slice(from));
          for (const k of [0, 1, Math.floor(whole.length / 2), whole.length, 99]) {
            expect(await bench.journal.viewAt(record, k)).toEqual(foldEvents(id, whole.slice(0, k)));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test("by the hundred see one order, and a reader that stops reading slows no other (EN10)", async () => {
    const bench = await open();
    const record = await create(bench);
    const stalled = bench.journal.follow(record, 0, never);
    await stalled.next();
    const readers = Array.from({ length: 300 }, () => replay(bench, record));
    for (let i = 0; i < 50; i++) await append(bench, record, delta(`${i}`));
    await append(bench, record, completed);
    const [first, ...others] = await Promise.all(readers);
    expect(first).toHaveLength(52);
    for (const other of others) expect(other).toEqual(first);
    const rest: CommittedEvent[] = [];
    for (let page = await stalled.next(); page.done !== true; page = await stalled.next()) rest.push(...page.value);
    expect(rest).toEqual(first!.slice(1));
    expect(record.followers).toBe(0);
  });

  test("far behind read the store: memory keeps 256 KiB of a running task (JO4)", async () => {
    const bench = await open();
    const record = await create(bench);
    for (let i = 0; i < 40; i++) await append(bench, record, delta(`${i}:${"x".repeat(20_000)}`));
    const first = record.recent(30)?.[0]?.seq;
    expect([first, record.recent(0)]).toEqual([31, undefined]);
    const kept = record.recent(record.view.seq - 13)!;
    expect(JSON.stringify(kept).length).toBeLessThan(TAIL_BYTES + 30_000);
    await append(bench, record, completed);
    const texts = (await replay(bench, record)).flatMap(({ event }) =>
      event.kind === "text.delta" ? [event.text] : [],
    );
    expect(texts.map((text) => Number(text.split(":")[0]))).toEqual(Array.from({ length: 40 }, (_, i) => i));
  });

  test("share what came last, however long it is, and get memory's events in pages (JO4)", async () => {
    const bench = await open();
    const record = await create(bench);
    const reader = bench.journal.follow(record, 0, never);
    await reader.next();
    await append(bench, record, delta("x".repeat(2 * TAIL_BYTES)), completed);
    expect(record.recent(1)?.map(({ event }) => event.kind)).toEqual(["text.delta", "task.completed"]);
    expect(record.recent(1, 1)).toHaveLength(1);
    const pages = [await reader.next(), await reader.next(), await reader.next()];
    expect(pages.map(({ value }) => value?.length)).toEqual([1, 1, undefined]);
    expect(record.recent(1)).toBeUndefined();
  });

  test("end when their signal aborts, also while nothing happens", async () => {
    const bench = await open();
    const record = await create(bench);
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of bench.journal.follow(record, 0, abort.signal));
    })();
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await reading;
    expect([record.followers, record.waiting]).toEqual([0, false]);
    await expect(bench.journal.settled(record, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  });

  test("of a parked task are done until it continues", async () => {
    const bench = await open();
    const record = await create(bench);
    await append(bench, record, { kind: "task.parked", prompts: [] });
    expect((await replay(bench, record)).at(-1)?.event.kind).toBe("task.parked");
    expect(await bench.journal.settled(record)).toBe(record.view);
  });
});

test("who waits for a task to settle or to end gives up with its own reason, and leaves nothing behind", async () => {
  const bench = await open();
  const record = await create(bench);
  const reason = new Error("left");
  for (const wait of ["settled", "ended"] as const) {
    await expect(bench.journal[wait](record, AbortSignal.abort(reason))).rejects.toBe(reason);
    const leaving = new AbortController();
    const waiting = bench.journal[wait](record, leaving.signal);
    expect(record.waiting).toBe(true);
    leaving.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(record.waiting).toBe(false);
  }
  const settled = bench.journal.settled(record, never);
  const ended = bench.journal.ended(record, never);
  await append(bench, record, parked);
  expect((await settled).state).toBe("parked");
  expect(record.waiting).toBe(true);
  await append(bench, record, completed);
  expect((await ended).state).toBe("completed");
});

test("ended tasks are found in the order they ended, from one of them on", async () => {
  const bench = await open();
  for (const id of ["b", "a", "c", "open"]) await create(bench, id);
  const end = async (id: string) => append(bench, (await bench.journal.get(id))!, completed);
  await end("b");
  await end("a");
  await bench.clock.advance(5);
  await end("c");
  const { db, journal, clock } = bench;
  const from = (id: string, at: number, limit = 9) =>
    endedTasks({ db, statements: journal.statements }, { id, at }, limit);
  const [early, late] = [clock.now() - 5, clock.now()];
  const all = [
    { id: "a", at: early },
    { id: "b", at: early },
    { id: "c", at: late },
  ];
  expect(await from("", 0)).toEqual(all);
  expect(await from("", 0, 2)).toEqual(all.slice(0, 2));
  expect(await from("a", early)).toEqual(all.slice(1));
  expect(await from("c", late)).toEqual([]);
});

test("a reader that wants the end stays while the task is parked", async () => {
  const bench = await open();
  const record = await create(bench);
  await append(bench, record, parked);
  const reader = bench.journal.follow(record, 1, never, { untilTerminal: true });
  expect((await reader.next()).value).toMatchObject([{ event: { kind: "task.parked" } }]);
  const next = reader.next();
  await append(bench, record, completed);
  expect((await next).value).toMatchObject([{ event: { kind: "task.completed" } }]);
  expect([(await reader.next()).done, record.followers]).toEqual([true, 0]);
});

describe("memory (EN10)", () => {
  test("holds one record of a task, read from the store once (JO7)", async () => {
    const bench = await open();
    const record = await create(bench);
    await append(bench, record, completed);
    bench.journal.release(record);
    const both = await Promise.all([bench.journal.get("t"), bench.journal.get("t")]);
    expect(both[0]).toBe(both[1]);
    expect(both[0]!.view).toEqual(record.view);
    expect(await bench.journal.get("nobody")).toBeUndefined();
  });

  test("shows a task that is being created when its first events are committed, and never if they are not (EN1)", async () => {
    let fails = false;
    const hit = (): void => {
      if (fails) throw new Error("power");
    };
    const bench = await open({ failpoints: { hit } });
    const task = { class: "operator", context: "c", origin: "a2a", options: "{}" } as const;
    const { committed } = bench.journal.create({ id: "a", ...task }, { label: "accept", events: [accepted] });
    const found = await bench.journal.get("a");
    expect([found?.view.seq, found?.view.context]).toEqual([1, "c"]);
    await committed;
    fails = true;
    const refused = bench.journal.create({ id: "b", ...task }, { label: "accept", events: [accepted] });
    const both = await Promise.allSettled([bench.journal.get("b"), refused.committed]);
    expect(both).toMatchObject([{ status: "fulfilled", value: undefined }, { status: "rejected" }]);
  });

  test("evicts a record after an hour without use, unless it is in use", async () => {
    const bench = await open();
    const { journal, clock } = bench;
    const refs = await Promise.all(
      ["idle", "used", "pinned", "followed"].map(async (id) => {
        const record = await create(bench, id);
        await append(bench, record, parked);
        if (id !== "pinned") journal.release(record);
        if (id === "followed") record.followers++;
        return new WeakRef(record);
      }),
    );
    await clock.advance(1_800_000);
    await journal.get("used");
    await clock.advance(1_800_001);
    journal.sweep();
    expect(await inMemory(refs)).toEqual([false, true, true, true]);
  });

  test("a record that was released late does not keep older ones from leaving", async () => {
    const bench = await open();
    const { journal, clock } = bench;
    const begin = async (id: string) => new WeakRef(await create(bench, id));
    const end = async (ref: WeakRef<TaskRecord>) => {
      await append(bench, ref.deref()!, parked);
      journal.release(ref.deref()!);
    };
    const [long, short] = [await begin("long"), await begin("short")];
    await end(short);
    await clock.advance(3_000_000);
    await end(long);
    await clock.advance(700_000);
    journal.sweep();
    expect(await inMemory([long, short])).toEqual([true, false]);
  });

  test("a handle on an evicted record still gets the events of its task (JO7)", async () => {
    const bench = await open();
    const { journal, clock } = bench;
    const held = await create(bench);
    await append(bench, held, parked);
    journal.release(held);
    await clock.advance(3_600_001);
    journal.sweep();
    const found = (await journal.get("t"))!;
    expect(found).toBe(held);
    const waiting = journal.settled(held);
    await append(bench, found, { kind: "task.resumed" }, completed);
    expect(await waiting).toMatchObject({ state: "completed" });
  });

  test("of idle records is bounded by bytes, the least recently used leave first", async () => {
    const bench = await open({ cacheBytes: 64 * 1024 });
    const { journal } = bench;
    const idle = async (i: number) => {
      const record = await create(bench, `t${i}`);
      await append(bench, record, { kind: "answer", parts: [{ kind: "text", text: "x".repeat(2_000) }] });
      await append(bench, record, parked);
      journal.release(record);
      return new WeakRef(record);
    };
    const refs: WeakRef<TaskRecord>[] = [];
    for (let i = 0; i < 40; i++) refs.push(await idle(i));
    const kept = await inMemory(refs);
    expect(kept.indexOf(true)).toBeGreaterThan(20);
    expect(kept.slice(kept.indexOf(true))).not.toContain(false);
    const bytes = refs.reduce((sum, ref) => sum + (ref.deref()?.bytes ?? 0), 0);
    expect(bytes).toBeLessThanOrEqual(64 * 1024);
    for (let i = 0; i < 40; i++) expect((await journal.get(`t${i}`))!.view.seq).toBe(3);
  });
});

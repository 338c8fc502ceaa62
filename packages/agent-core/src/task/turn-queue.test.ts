import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_TURN_BOUNDS, type TurnBounds } from "./turn-bounds.ts";
import { TurnQueue } from "./turn-queue.ts";

const CLASSES = ["operator", "federation"] as const;
type Class = (typeof CLASSES)[number];

/** The same promises in their plainest form: a list of everybody in order of arrival, looked through each time. */
class PlainQueue {
  readonly #max: number;
  #all: { id: string; key: string; holder: number; class: Class }[] = [];
  #running: string[] = [];
  #held = 0;
  #passedOver = 0;

  constructor(max: number) {
    this.#max = max;
  }

  enter(id: string, key: string, of: Class): string[] {
    const holder = this.#all.some((other) => other.key === key) ? 0 : ++this.#held;
    this.#all.push({ id, key, holder, class: of });
    return this.#start();
  }

  leave(id: string): string[] {
    const left = this.#all.find((turn) => turn.id === id);
    if (left === undefined) return [];
    this.#all = this.#all.filter((turn) => turn !== left);
    this.#running = this.#running.filter((other) => other !== id);
    const next = this.#all.find((turn) => turn.key === left.key);
    if (left.holder > 0 && next !== undefined) next.holder = ++this.#held;
    return this.#start();
  }

  get running(): readonly string[] {
    return this.#running;
  }

  get waiting(): number {
    return this.#all.length - this.#running.length;
  }

  keyOf(id: string): string | undefined {
    return this.#all.find((turn) => turn.id === id)?.key;
  }

  #nextOf(of: Class): string | undefined {
    const peers = this.#all.filter((turn) => turn.class === "federation" && this.#running.includes(turn.id)).length;
    if (this.#running.length >= this.#max) return undefined;
    if (of === "federation" && peers >= Math.max(1, Math.floor(this.#max / 2))) return undefined;
    const ready = this.#all.filter((turn) => turn.class === of && turn.holder > 0 && !this.#running.includes(turn.id));
    return ready.sort((a, b) => a.holder - b.holder)[0]?.id;
  }

  #start(): string[] {
    const started: string[] = [];
    for (;;) {
      const [operator, peer] = [this.#nextOf("operator"), this.#nextOf("federation")];
      const passes = operator !== undefined && !(peer !== undefined && this.#passedOver >= 16);
      const next = passes ? operator : peer;
      if (next === undefined) return started;
      this.#passedOver = passes && peer !== undefined ? this.#passedOver + 1 : 0;
      this.#running.push(next);
      started.push(next);
    }
  }
}

const key = fc.constantFrom("a", "b", "c", "d", "e", "f");
const of = fc.constantFrom(...CLASSES);
const step = fc.oneof(
  fc.record({ enter: key, of }),
  fc.record({ leave: fc.nat({ max: 40 }) }),
  fc.record({ take: key, of }),
);

const signal = new AbortController().signal;

/** A queue with smaller bounds, and what it started. */
function bounded(given: Partial<TurnBounds>) {
  const bounds = { ...DEFAULT_TURN_BOUNDS, ...given };
  let time = 0;
  const queue = new TurnQueue(
    () => bounds,
    () => time,
  );
  const started: string[] = [];
  const enter = (id: string, of: Class = "operator", more: { key?: string; slotless?: boolean } = {}): void =>
    queue.enter({ id, key: more.key ?? id, class: of, slotless: more.slotless === true, run: () => started.push(id) });
  return { queue, started, enter, bounds, at: (now: number) => (time = now) };
}

/** Lets resolved promises continue. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the queue of turns (EN4; A9, S7)", () => {
  test("in any order of entering and leaving runs whom the plain model runs, in its order (TQ1, TQ2, TQ4)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5 }), fc.array(step, { maxLength: 60 }), (max, steps) => {
        const { queue, started } = bounded({ maxRunning: max });
        const plain = new PlainQueue(max);
        const expected: string[] = [];
        for (const [i, action] of steps.entries()) {
          const id = `w${i}`;
          if ("enter" in action) {
            const key = `${action.of} ${action.enter}`;
            expected.push(...plain.enter(id, key, action.of));
            queue.enter({ id, key, class: action.of, run: () => started.push(id) });
          } else if ("leave" in action) {
            const gone = `w${action.leave}`;
            const key = plain.keyOf(gone);
            expected.push(...plain.leave(gone));
            queue.leave(gone, key ?? "a");
          } else {
            const turn = { id, key: `${action.of} ${action.take}`, class: action.of, run: () => started.push(id) };
            if (!queue.free(turn)) continue;
            expect(plain.enter(id, turn.key, action.of)).toEqual([id]);
            queue.take(turn, true);
          }
          expect(started).toEqual(expected);
          expect([queue.running, queue.waiting]).toEqual([plain.running.length, plain.waiting]);
          const keys = plain.running.map((running) => plain.keyOf(running));
          expect(new Set(keys).size).toBe(keys.length);
        }
      }),
    );
  });

  test("forgets a context without a holder (TQ3)", () => {
    const { queue, enter } = bounded({ maxRunning: 2 });
    for (let i = 0; i < 50; i++) enter(`${i}`, "operator", { key: "c" });
    expect(queue.waitingIn("c")).toBe(49);
    for (let i = 49; i >= 0; i--) queue.leave(`${i}`, "c");
    expect([queue.held("c"), queue.waitingIn("c")]).toEqual([false, 0]);
    expect(queue.load()).toEqual({ running: 0, working: 0, waiting: 0, oldestWaitMs: 0 });
  });

  test("runs slotless turns while all slots are taken, and frees none when they leave (TQ2)", () => {
    const { queue, started, enter } = bounded({ maxRunning: 1 });
    const free = (context: string, slotless = false) => queue.free({ key: context, class: "operator", slotless });
    enter("1");
    enter("2");
    enter("child", "operator", { key: "c", slotless: true });
    expect([started, queue.running, queue.waiting]).toEqual([["1", "child"], 2, 1]);
    // A context has one holder, whether it needs a slot or not (TQ1).
    enter("child of c", "operator", { key: "c", slotless: true });
    expect([free("d"), free("c", true), free("d", true)]).toEqual([false, false, true]);
    expect(queue.acquireSlot("child", signal)).toBeUndefined();
    queue.leave("child", "c");
    expect([started, queue.running]).toEqual([["1", "child", "child of c"], 2]);
    queue.leave("child of c", "c");
    expect(queue.running).toBe(1);
    queue.leave("1", "1");
    expect([started.at(-1), queue.running, queue.waiting]).toEqual(["2", 1, 0]);
  });

  test("that is closed lets no turn begin, keeps who waits, and lets who began work again", async () => {
    const { queue, started, enter } = bounded({ maxRunning: 1 });
    for (const id of ["1", "2"]) enter(id);
    queue.releaseSlot("1", 0);
    expect(started).toEqual(["1", "2"]);
    const works = queue.acquireSlot("1", signal);
    queue.close();
    enter("3");
    queue.leave("2", "2");
    await works;
    expect([started, queue.waiting]).toEqual([["1", "2"], 1]);
    const fresh = { id: "4", key: "new", class: "operator", run: () => {} };
    expect(queue.free(fresh)).toBe(false);
    expect(() => queue.take(fresh, true)).toThrow("not free");
  });

  test("keeps no turn from beginning while the others only wait for their models", () => {
    const { queue, started, enter } = bounded({ maxRunning: 2 });
    for (let i = 0; i < 40; i++) {
      enter(`${i}`);
      queue.releaseSlot(`${i}`, 1_000);
    }
    expect([started.length, queue.load()]).toMatchObject([40, { running: 40, working: 0, waiting: 0 }]);
    // As many as may work, and then none begins.
    expect([queue.acquireSlot("0", signal), queue.acquireSlot("1", signal)]).toEqual([undefined, undefined]);
    enter("late");
    expect([started.length, queue.load().working]).toEqual([40, 2]);
    queue.releaseSlot("0", 1_000);
    expect(started.at(-1)).toBe("late");
  });

  test("lets a turn that wants to work again go before one that begins, and gives up on one that is aborted", async () => {
    const { queue, started, enter } = bounded({ maxRunning: 2 });
    for (const id of ["1", "2", "3", "4"]) {
      enter(id);
      queue.releaseSlot(id, 0);
    }
    const order: string[] = [];
    const abort = new AbortController();
    expect([queue.acquireSlot("1", signal), queue.acquireSlot("2", signal)]).toEqual([undefined, undefined]);
    void queue.acquireSlot("3", abort.signal)?.then(() => order.push("3 gave up"));
    void queue.acquireSlot("4", signal)?.then(() => order.push("4 works"));
    enter("5");
    expect([queue.waitsForSlot("4"), queue.waitsForSlot("1")]).toEqual([true, false]);
    abort.abort();
    queue.leave("1", "1");
    await settle();
    expect([order, started]).toEqual([
      ["3 gave up", "4 works"],
      ["1", "2", "3", "4"],
    ]);
    queue.leave("2", "2");
    expect([started.at(-1), queue.waitsForSlot("4"), queue.load().working]).toEqual(["5", false, 2]);
    // Its slot is not counted twice.
    for (const id of ["3", "4", "5"]) queue.leave(id, id);
    expect(queue.load()).toEqual({ running: 0, working: 0, waiting: 0, oldestWaitMs: 0 });
  });

  test("begins none beside conversations that hold all the memory there is for them, but one always", () => {
    const { queue, started, enter, bounds } = bounded({ maxConversationBytes: 1_000_000 });
    enter("large");
    queue.releaseSlot("large", 5_000_000);
    enter("next");
    enter("peer", "federation");
    // What the operator holds is not held by peers; of theirs there is none yet.
    expect(started).toEqual(["large", "peer"]);
    queue.releaseSlot("large", 100_000);
    expect(started).toEqual(["large", "peer", "next"]);
    queue.releaseSlot("peer", bounds.maxConversationBytes);
    enter("second peer", "federation");
    enter("operator");
    expect(started.slice(3)).toEqual(["operator"]);
    queue.leave("peer", "peer");
    expect(started.at(-1)).toBe("second peer");
  });

  test("uses what a raised bound leaves room for at once", () => {
    const { queue, started, enter, bounds } = bounded({ maxRunning: 2 });
    for (const id of ["1", "2", "3", "4"]) enter(id);
    expect(started).toEqual(["1", "2"]);
    (bounds as { maxRunning: number }).maxRunning = 3;
    queue.boundsChanged();
    expect(started).toEqual(["1", "2", "3"]);
  });

  test("reports how many wait and since when, also of peers alone", () => {
    const { queue, enter, at } = bounded({ maxRunning: 2 });
    enter("1", "operator", { key: "c" });
    at(10);
    enter("2", "operator", { key: "c" });
    enter("p1", "federation");
    at(20);
    enter("p2", "federation");
    at(50);
    expect(queue.load()).toEqual({ running: 2, working: 2, waiting: 2, oldestWaitMs: 40 });
    expect(queue.load("peers")).toEqual({ running: 1, working: 1, waiting: 1, oldestWaitMs: 30 });
  });
});

describe("peers in the queue of turns", () => {
  test("have half of the working slots, of the turns begun and of the queue", () => {
    const working = bounded({ maxRunning: 4 });
    for (let i = 0; i < 10; i++) working.enter(`p${i}`, "federation");
    expect(working.started).toEqual(["p0", "p1"]);
    for (let i = 0; i < 10; i++) working.enter(`o${i}`);
    expect(working.started.slice(2)).toEqual(["o0", "o1"]);

    const begun = bounded({ maxBegun: 4 });
    for (let i = 0; i < 10; i++) {
      begun.enter(`p${i}`, "federation");
      begun.queue.releaseSlot(`p${i}`, 0);
    }
    for (let i = 0; i < 10; i++) begun.enter(`o${i}`);
    expect(begun.started).toEqual(["p0", "p1", "o0", "o1"]);

    const waiting = bounded({ maxRunning: 2, maxQueued: 4 });
    for (let i = 0; i < 3; i++) waiting.enter(`p${i}`, "federation");
    expect([waiting.queue.hasRoom("federation"), waiting.queue.hasRoom("operator")]).toEqual([false, true]);
    for (let i = 0; i < 3; i++) waiting.enter(`o${i}`);
    expect(waiting.queue.hasRoom("operator")).toBe(false);
  });

  test("wait while turns of the operator come, but not for ever (TQ4)", () => {
    const { queue, started, enter } = bounded({ maxRunning: 2 });
    enter("o0");
    enter("o1");
    for (let i = 0; i < 3; i++) enter(`p${i}`, "federation");
    for (let i = 2; i < 42; i++) enter(`o${i}`);
    for (let i = 0; i < 40; i++) queue.leave(started[i]!, started[i]!);
    const peers = started.flatMap((id, index) => (id.startsWith("p") ? [index] : []));
    // 16 of the operator's go first, each time; the one that takes the slot beside a working peer passes over none.
    expect(peers).toEqual([18, 36]);
  });
});

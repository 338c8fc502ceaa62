import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Lanes } from "./lanes.ts";

/** The same promises in their plainest form: a list of everybody in order of arrival, looked through each time. */
class PlainLanes {
  readonly #max: number;
  #all: { id: string; key: string; holder: number }[] = [];
  #running: string[] = [];
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  enter(id: string, key: string): string[] {
    this.#all.push({ id, key, holder: this.#all.some((other) => other.key === key) ? 0 : ++this.#held });
    return this.#start();
  }

  leave(id: string): string[] {
    const left = this.#all.find((waiter) => waiter.id === id);
    if (left === undefined) return [];
    this.#all = this.#all.filter((waiter) => waiter !== left);
    this.#running = this.#running.filter((other) => other !== id);
    const next = this.#all.find((waiter) => waiter.key === left.key);
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
    return this.#all.find((waiter) => waiter.id === id)?.key;
  }

  #start(): string[] {
    const started: string[] = [];
    while (this.#running.length < this.#max) {
      const ready = this.#all.filter(({ id, holder }) => holder > 0 && !this.#running.includes(id));
      const next = ready.sort((a, b) => a.holder - b.holder)[0];
      if (next === undefined) break;
      this.#running.push(next.id);
      started.push(next.id);
    }
    return started;
  }
}

const step = fc.oneof(
  fc.record({ enter: fc.constantFrom("a", "b", "c", "d") }),
  fc.record({ leave: fc.nat({ max: 40 }) }),
  fc.record({ take: fc.constantFrom("a", "b", "c", "d") }),
);

describe("lanes (E4; rulings A9, S7)", () => {
  test("in any order of entering and leaving run whom the plain model runs, in its order (L1, L2)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (max, steps) => {
        const lanes = new Lanes(max);
        const plain = new PlainLanes(max);
        const started: string[] = [];
        const expected: string[] = [];
        for (const [i, action] of steps.entries()) {
          const id = `w${i}`;
          if ("enter" in action) {
            expected.push(...plain.enter(id, action.enter));
            lanes.enter({ id, key: action.enter, run: () => started.push(id) });
          } else if ("leave" in action) {
            const gone = `w${action.leave}`;
            const key = plain.keyOf(gone);
            expected.push(...plain.leave(gone));
            lanes.leave(gone, key ?? "a");
          } else if (lanes.free(action.take)) {
            expect(plain.enter(id, action.take)).toEqual([id]);
            lanes.take({ id, key: action.take, run: () => started.push(id) });
          }
          expect(started).toEqual(expected);
          expect([lanes.running, lanes.waiting]).toEqual([plain.running.length, plain.waiting]);
          const keys = plain.running.map((running) => plain.keyOf(running));
          expect(new Set(keys).size).toBe(keys.length);
        }
      }),
    );
  });

  test("a context that nobody holds is forgotten (L3)", () => {
    const lanes = new Lanes(2);
    for (let i = 0; i < 50; i++) lanes.enter({ id: `${i}`, key: "c", run: () => {} });
    expect(lanes.waitingIn("c")).toBe(49);
    for (let i = 49; i >= 0; i--) lanes.leave(`${i}`, "c");
    expect([lanes.held("c"), lanes.waitingIn("c"), lanes.running, lanes.waiting]).toEqual([false, 0, 0, 0]);
  });

  test("let those without a slot run beside full ones, and give none away when they leave (L2)", () => {
    const lanes = new Lanes(1);
    const started: string[] = [];
    const enter = (id: string, key: string, slotless = false): void =>
      lanes.enter({ id, key, slotless, run: () => started.push(id) });
    enter("1", "a");
    enter("2", "b");
    enter("child", "c", true);
    expect([started, lanes.running, lanes.waiting]).toEqual([["1", "child"], 2, 1]);
    // A context has one holder, whether it needs a slot or not (L1).
    enter("child of c", "c", true);
    expect([lanes.free("d"), lanes.free("c", true), lanes.free("d", true)]).toEqual([false, false, true]);
    lanes.leave("child", "c");
    expect([started, lanes.running]).toEqual([["1", "child", "child of c"], 2]);
    lanes.leave("child of c", "c");
    expect(lanes.running).toBe(1);
    lanes.leave("1", "a");
    expect([started.at(-1), lanes.running, lanes.waiting]).toEqual(["2", 1, 0]);
  });

  test("that are closed let nobody run, and keep who waits", () => {
    const lanes = new Lanes(1);
    const started: string[] = [];
    for (const id of ["1", "2"]) lanes.enter({ id, key: id, run: () => started.push(id) });
    lanes.close();
    lanes.leave("1", "1");
    lanes.enter({ id: "3", key: "3", run: () => started.push("3") });
    expect(started).toEqual(["1"]);
    expect([lanes.free("new"), lanes.waiting]).toEqual([false, 2]);
    expect(() => lanes.take({ id: "4", key: "new", run: () => {} })).toThrow("not free");
  });
});

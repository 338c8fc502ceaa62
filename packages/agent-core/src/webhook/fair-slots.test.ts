import fc from "fast-check";
import { expect, test } from "vitest";
import { FairSlots, type SlotTaker } from "./fair-slots.ts";

class Taker implements SlotTaker {
  readonly host: string;
  readonly #began: SlotTaker[];
  constructor(host: string, began: SlotTaker[]) {
    this.host = host;
    this.#began = began;
  }
  begin(): void {
    this.#began.push(this);
  }
}

test("one host that never answers leaves slots to the others, and they take turns", () => {
  const slots = new FairSlots({ all: 3, perHost: 2 });
  const began: SlotTaker[] = [];
  const [a1, a2, a3, b1, b2, c1] = ["a", "a", "a", "b", "b", "c"].map((host) => new Taker(host, began));
  for (const taker of [a1, a2, a3, b1, b2, c1]) slots.acquire(taker!);
  expect(began).toEqual([a1, a2, b1]);
  expect([slots.active, slots.waiting]).toEqual([3, 3]);
  slots.release(b1!);
  expect(began.at(-1)).toBe(b2);
  slots.release(b2!);
  // It is not b's turn again before c had one; a has as many slots as one host gets.
  expect(began.at(-1)).toBe(c1);
  slots.release(a1!);
  expect(began.at(-1)).toBe(a3);
});

test("no bound is exceeded, every taker gets a slot, and one host's takers go in order", () => {
  const step = fc.oneof(
    fc.record({ enter: fc.constantFrom("a", "b", "c", "d") }),
    fc.record({ leave: fc.nat({ max: 20 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const slots = new FairSlots({ all: 4, perHost: 2 });
      const began: SlotTaker[] = [];
      const entered: SlotTaker[] = [];
      const inside: SlotTaker[] = [];
      let seen = 0;
      const check = (): void => {
        inside.push(...began.slice(seen));
        seen = began.length;
        expect(inside.length).toBeLessThanOrEqual(4);
        for (const host of ["a", "b", "c", "d"]) {
          expect(inside.filter((taker) => taker.host === host).length).toBeLessThanOrEqual(2);
        }
        expect([slots.active, slots.waiting]).toEqual([inside.length, entered.length - began.length]);
      };
      for (const one of steps) {
        if ("enter" in one) {
          const taker = new Taker(one.enter, began);
          entered.push(taker);
          slots.acquire(taker);
        } else if (inside.length > 0) {
          const [gone] = inside.splice(one.leave % inside.length, 1);
          slots.release(gone!);
        }
        check();
      }
      while (inside.length > 0) {
        slots.release(inside.shift()!);
        check();
      }
      for (const host of ["a", "b", "c", "d"]) {
        const of = (takers: readonly SlotTaker[]) => takers.filter((taker) => taker.host === host);
        expect(of(began)).toEqual(of(entered));
      }
    }),
  );
});

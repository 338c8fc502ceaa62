import fc from "fast-check";
import { expect, test } from "vitest";
import { firstOf } from "./first-of.ts";

test("is the start of what sorting gives, equal ones in the order they came", () => {
  const item = fc.record({ rank: fc.integer({ min: 0, max: 5 }), name: fc.nat() });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), fc.nat(12), (items, most) => {
      const order = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank;
      expect(firstOf(items, most, order)).toEqual(items.toSorted(order).slice(0, most));
    }),
  );
});

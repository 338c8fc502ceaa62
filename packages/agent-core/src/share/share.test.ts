import fc from "fast-check";
import { expect, test } from "vitest";
import { PartyCount, partyOf } from "./share.ts";

test("every class but the operator's counts as a peer", () => {
  expect(["operator", "federation", "anonymous", "", "Operator"].map(partyOf)).toEqual([
    "operator",
    ...["peers", "peers", "peers", "peers"],
  ]);
});

test("whatever peers take, the operator gets what is not their share, and all together never more than there is", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 40 }),
      fc.constantFrom(0.5, 0.25),
      fc.array(fc.constantFrom("operator", "peers"), { maxLength: 100 }),
      (whole, part, takers) => {
        const taken = new PartyCount();
        for (const party of takers) if (taken.free(party, whole, { part })) taken[party]++;
        const share = Math.max(1, Math.floor(whole * part));
        expect(taken.all).toBeLessThanOrEqual(whole);
        expect(taken.peers).toBeLessThanOrEqual(share);
        while (taken.free("operator", whole, { part })) taken.operator++;
        expect(taken.operator).toBeGreaterThanOrEqual(whole - share);
      },
    ),
  );
});

test("peers beyond their share, as after a bound was lowered, take nothing from the operator", () => {
  const taken = new PartyCount();
  taken.peers = 60;
  expect([taken.free("operator", 4), taken.free("peers", 4)]).toEqual([true, false]);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calibrate, UNRELATED_TEXTS } from "./calibration.ts";
import { cosineOf, dot, encodeVector, signsOf, unitVector } from "./vector-code.ts";
import { VectorIndex } from "./vector-index.ts";

/** Numbers between -1 and 1, the same for a seed. */
function numbers(seed: number, count: number): number[] {
  let state = seed * 2_654_435_761 + 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0;
    return state / 2 ** 31;
  });
}
const unit = (seed: number, dims = 96): Float32Array => unitVector(numbers(seed, dims))!;
const mean = new Float32Array(96);

describe("a stored vector", () => {
  it("keeps its cosines within a hundredth, whatever its numbers", () => {
    const vectors = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 33, maxLength: 33 });
    fc.assert(
      fc.property(vectors, vectors, (a, b) => {
        const [one, other] = [unitVector(a), unitVector(b)];
        fc.pre(one !== undefined && other !== undefined);
        const { full } = encodeVector(other, new Float32Array(33));
        expect(Math.abs(cosineOf(one, full) - dot(one, other))).toBeLessThan(0.01);
      }),
    );
  });

  it("is none where it is zero or holds something that is no number", () => {
    for (const bad of [[0, 0], [1, Number.NaN], [1, Number.POSITIVE_INFINITY], []])
      expect(unitVector(bad)).toBeUndefined();
    expect(cosineOf(unit(1), new Uint8Array(9))).toBe(0);
  });
});

describe("the index", () => {
  it("finds those with the fewest differences, as a look at each finds them", () => {
    const operation = fc.record({
      id: fc.integer({ min: 1, max: 40 }),
      seed: fc.integer({ min: 0, max: 99 }),
      adds: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 120 }), fc.integer({ min: 1, max: 12 }), (operations, limit) => {
        const index = new VectorIndex(96);
        const kept = new Map<number, Uint8Array>();
        for (const { id, seed, adds } of operations) {
          const signs = signsOf(unit(seed), mean);
          if (adds) {
            kept.set(id, signs);
            index.set(id, signs);
          } else {
            kept.delete(id);
            index.delete(id);
          }
        }
        expect(index.size).toBe(kept.size);
        const asked = signsOf(unit(1_000), mean);
        const differences = (signs: Uint8Array): number =>
          signs.reduce((sum, byte, at) => sum + (byte ^ (asked[at] ?? 0)).toString(2).replaceAll("0", "").length, 0);
        const expected = [...kept.values()]
          .map(differences)
          .sort((a, b) => a - b)
          .slice(0, limit);
        const found = index.nearest(asked, limit).map((id) => differences(kept.get(id)!));
        expect(found.sort((a, b) => a - b)).toEqual(expected);
      }),
    );
  });

  it("grows, and leaves out what has another size", () => {
    const index = new VectorIndex(96);
    index.append(Array.from({ length: 3_000 }, (_, id) => [id + 1, signsOf(unit(id), mean)] as const));
    index.append([[9_999, new Uint8Array(3)]]);
    index.set(9_998, new Uint8Array(4));
    expect(index.size).toBe(3_000);
    expect(index.nearest(signsOf(unit(2_500), mean), 1)).toEqual([2_501]);
  });

  it("has nearly all of the ten best among those that are compared", () => {
    const [dims, none] = [768, new Float32Array(768)];
    const index = new VectorIndex(dims);
    const units = Array.from({ length: 2_000 }, (_, id) => unit(id, dims));
    index.append(units.map((one, id) => [id, signsOf(one, none)] as const));
    let kept = 0;
    for (let search = 0; search < 20; search++) {
      // Near one of them, as what is searched for is.
      const near = units[search * 97]!;
      const asked = unitVector(unit(50_000 + search, dims).map((number, at) => number + 2 * (near[at] ?? 0)))!;
      const best = units.map((one, id) => [dot(asked, one), id] as const).toSorted(([a], [b]) => b - a);
      const found = new Set(index.nearest(signsOf(asked, none), 200));
      kept += best.slice(0, 10).filter(([, id]) => found.has(id)).length;
    }
    expect(kept).toBeGreaterThanOrEqual(170);
  });
});

it("takes texts for related that are more alike than unrelated ones are to the model", () => {
  const { floor, mean: common } = calibrate(UNRELATED_TEXTS.map((_, at) => unit(at)));
  expect(common).toHaveLength(96);
  expect(floor).toBeGreaterThan(0.15);
  expect(floor).toBeLessThan(0.4);
  // To some models everything is alike.
  const alike = UNRELATED_TEXTS.map((_, at) => unitVector(numbers(at, 96).map((number) => 10 + number))!);
  expect(calibrate(alike).floor).toBeLessThanOrEqual(0.95 + 1e-9);
});

import { expect, test } from "vitest";
import { figureTiles, initialOf } from "./figure-tiles.ts";

test("a name has one figure, whatever its case and the white space around it", () => {
  expect(figureTiles("Ada")).toEqual(figureTiles("  ada "));
  expect(figureTiles("Ada")).toHaveLength(4);
  expect(figureTiles("Ada")).not.toEqual(figureTiles("Grace"));
});

test("a hundred names have nearly a hundred figures, and no two neighbours of a figure have the same tone", () => {
  const figures = Array.from({ length: 100 }, (_, index) => figureTiles(`agent ${index}`));
  expect(new Set(figures.map((tiles) => JSON.stringify(tiles))).size).toBeGreaterThan(95);
  for (const [topLeft, topRight, bottomLeft, bottomRight] of figures) {
    expect(topLeft?.tone).not.toBe(topRight?.tone);
    expect(topLeft?.tone).not.toBe(bottomLeft?.tone);
    expect(bottomLeft?.tone).not.toBe(bottomRight?.tone);
    expect(topRight?.tone).not.toBe(bottomRight?.tone);
  }
});

test("the initial is the first letter or digit of any script", () => {
  expect([initialOf("ada"), initialOf(" «éa»"), initialOf("7 of 9"), initialOf("…"), initialOf("")]).toEqual([
    ...["A", "É", "7", undefined, undefined],
  ]);
});

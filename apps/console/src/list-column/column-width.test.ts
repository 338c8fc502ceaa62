import { expect, test } from "vitest";
import { COLUMN, readWidth, widthAfter } from "./column-width.ts";

test("a kept width is taken within its bounds, and what is no width is the usual one", () => {
  expect(readWidth("312.4")).toBe(312);
  expect([readWidth("9"), readWidth("9999")]).toEqual([COLUMN.narrowest, COLUMN.widest]);
  for (const kept of [undefined, "wide", "NaN", "Infinity"]) expect(readWidth(kept)).toBe(COLUMN.usual);
});

test("keys move the edge by a step and never beyond its bounds; others mean nothing", () => {
  expect(widthAfter("ArrowRight", 300)).toBeGreaterThan(300);
  expect(widthAfter("ArrowLeft", 300)).toBeLessThan(300);
  expect(widthAfter("ArrowRight", COLUMN.widest)).toBe(COLUMN.widest);
  expect(widthAfter("ArrowLeft", COLUMN.narrowest)).toBe(COLUMN.narrowest);
  expect([widthAfter("Home", 300), widthAfter("End", 300)]).toEqual([COLUMN.narrowest, COLUMN.widest]);
  expect(widthAfter("Enter", 300)).toBe(COLUMN.usual);
  expect(widthAfter("Tab", 300)).toBeUndefined();
});

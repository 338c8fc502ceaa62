import { expect, test } from "vitest";
import { byDay } from "./by-day.ts";

test("runs stand under the day on which they changed last, by the person's own midnight", () => {
  const now = new Date(2026, 10, 22, 12);
  const rows = [
    [22, 11],
    [22, 0],
    [21, 23],
    [3, 5],
  ].map(([day, hour]) => ({ last_updated: new Date(2026, 10, day, hour).toISOString() }));
  const groups = byDay(rows, now);
  expect(groups.map(([day, of]) => [day, of.length])).toEqual([
    ["Today", 2],
    ["Yesterday", 1],
    [expect.stringMatching(/3/), 1],
  ]);
});

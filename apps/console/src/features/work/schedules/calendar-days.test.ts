import { expect, test } from "vitest";
import { daysOf } from "./calendar-days.ts";

const entry = (at: Date) => ({ job_id: "a", at: at.toISOString(), count: 1 });

test("entries are gathered by the days of this clock", () => {
  const one = entry(new Date(2027, 0, 1, 8));
  const two = entry(new Date(2027, 0, 1, 23, 59));
  const three = entry(new Date(2027, 0, 2));
  expect(daysOf([one, two, three])).toEqual([
    { at: one.at, entries: [one, two] },
    { at: three.at, entries: [three] },
  ]);
  expect(daysOf([])).toEqual([]);
});

import { expect, test } from "vitest";
import { type Plain, plainOf, scheduleOf, USUAL } from "./builder.ts";

test.each([
  [{ every: "day", time: "07:30" }, "30 7 * * *"],
  [{ every: "weekdays", time: "00:05" }, "5 0 * * 1-5"],
  [{ every: "week", days: [5, 0], time: "09:00" }, "0 9 * * 0,5"],
  [{ every: "month", dayOfMonth: 31, time: "23:59" }, "59 23 31 * *"],
  [{ every: "hour", minute: 7 }, "7 * * * *"],
  [{ every: "minutes", step: 15 }, "*/15 * * * *"],
  [{ every: "minutes", step: 1 }, "* * * * *"],
  [{ every: "once", at: "2027-03-01T09:00" }, "2027-03-01T09:00"],
  [{ every: "cron", cron: " 0 9 1,15 * * " }, "0 9 1,15 * *"],
] as const)("%j is %s, and back", (parts, schedule) => {
  const plain: Plain = { ...USUAL, ...parts };
  expect(scheduleOf(plain)).toBe(schedule);
  const read = plainOf(schedule);
  expect(read.every).toBe(parts.every);
  expect(scheduleOf(read)).toBe(schedule);
});

test.each([
  "0 9 * 1 *",
  "*/7 * * * *",
  "0 9 1 * 1",
  "0,30 9 * * *",
  "0 9 * * MON",
  "2027-03-01T09:00Z",
  "0 9-17 * * *",
])("%s is more than the choices can say, so it stays as it is", (schedule) => {
  const read = plainOf(schedule);
  expect([read.every, scheduleOf(read)]).toEqual(["cron", schedule]);
});

test("what is not chosen yet makes no schedule", () => {
  for (const parts of [
    { every: "week", days: [] },
    { every: "once", at: "" },
    { every: "day", time: "" },
  ] as const)
    expect(scheduleOf({ ...USUAL, ...parts })).toBe("");
});

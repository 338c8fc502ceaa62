import { expect, test } from "vitest";
import { dayGroups } from "./day-groups.ts";

test("sessions are grouped by day, then by month, in the order they came", () => {
  const now = new Date(2026, 10, 22, 0, 30);
  const at = (...[month, day, hour = 12]: [number, number, number?]) => {
    const name = `${month}-${day}-${hour}`;
    return { name, last_updated: new Date(2026, month - 1, day, hour).toISOString() };
  };
  const items = [
    at(11, 22, 0),
    at(11, 21, 23),
    at(11, 21, 1),
    at(11, 20),
    at(11, 15),
    at(11, 14),
    at(10, 31),
    at(10, 1),
  ];
  const groups = dayGroups(items, now).map(({ label, items: of }) => [label, of.map(({ name }) => name)]);
  expect(groups.map(([, names]) => names)).toEqual([
    ["11-22-0"],
    ["11-21-23", "11-21-1"],
    ["11-20-12", "11-15-12"],
    ["11-14-12"],
    ["10-31-12", "10-1-12"],
  ]);
  expect(groups.slice(0, 3).map(([label]) => label)).toEqual(["Today", "Yesterday", "Previous 7 days"]);
  expect(groups.slice(3).map(([label]) => label)).toEqual([
    expect.stringContaining("2026"),
    expect.stringContaining("2026"),
  ]);
});

test("a clock that runs behind the service's shows a session as of today", () => {
  const [group] = dayGroups([{ last_updated: new Date(2026, 0, 2).toISOString() }], new Date(2026, 0, 1));
  expect(group?.label).toBe("Today");
});

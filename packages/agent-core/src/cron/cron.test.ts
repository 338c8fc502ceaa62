import { expect, test } from "vitest";
import {
  countSlots,
  dstNotes,
  latestSlot,
  nextSlot,
  parseCron,
  parseSchedule,
  ScheduleError,
  wordsOf,
  Zones,
} from "./index.ts";

const zones = new Zones();
const read = (schedule: string, timezone = "UTC", now = "2026-11-24T00:00Z") =>
  parseSchedule(zones, { schedule, timezone, now: Date.parse(now) });
const iso = (at: number | undefined) => at && new Date(at).toISOString().replace(":00.000Z", "Z");
/** The first slots after an instant. */
function first(count: number, schedule: string, timezone: string, after: string): unknown[] {
  const parsed = read(schedule, timezone, after);
  const slots: unknown[] = [];
  for (
    let at = nextSlot(parsed, Date.parse(after));
    at !== undefined && slots.length < count;
    at = nextSlot(parsed, at)
  )
    slots.push(iso(at));
  return slots;
}

test("reads numbers, names, lists, ranges and steps, and Sunday as 0 and as 7", () => {
  expect(first(3, "0 9 * * mon-FRI", "UTC", "2026-11-27T08:00Z")).toEqual([
    ...["2026-11-27T09:00Z", "2026-11-30T09:00Z", "2026-12-01T09:00Z"],
  ]);
  expect(parseCron("0 0 * * 5-7").weekdays).toBe(parseCron("0 0 * * FRI,SAT,SUN").weekdays);
  expect(parseCron("0 0 * * 0").weekdays).toBe(parseCron("0 0 * * 7").weekdays);
  expect(first(2, "10-30/20 6 1 jan,Jul *", "UTC", "2026-11-27T08:00Z")).toEqual([
    "2027-01-01T06:10Z",
    "2027-01-01T06:30Z",
  ]);
});

test("days of the month and of the week: either where both are restricted, else both", () => {
  expect(first(3, "0 0 13 * FRI", "UTC", "2026-11-24T00:00Z")).toEqual([
    ...["2026-11-27T00:00Z", "2026-12-04T00:00Z", "2026-12-11T00:00Z"],
  ]);
  expect(first(1, "0 0 */2 * MON", "UTC", "2026-11-24T00:00Z")).toEqual(["2026-12-07T00:00Z"]);
});

test("29 February comes after eight years too", () => {
  expect(first(1, "0 0 29 2 *", "UTC", "2096-02-29T00:00Z")).toEqual(["2104-02-29T00:00Z"]);
});

test("refuses with the reason what is no schedule, and repeats nothing of it", () => {
  const refused = {
    "@daily": "exactly five fields",
    "0 0 * *": "exactly five fields",
    "0 0 0 * * *": "exactly five fields",
    "0 0 L * *": "day of the month",
    "0 0 * * 1#2": "day of the week",
    "0 0 ? * *": "day of the month",
    "*/0 * * * *": "step of the minute",
    "5/10 * * * *": "follows * or a range",
    "30-10 * * * *": "ends before it begins",
    "60 * * * *": "from 0 to 59",
    "0 0 0 * *": "from 1 to 31",
    "0 0 * jann *": "English name",
    "0,,5 * * * *": "empty",
    "1/2/3 * * * *": "two steps",
    "0 0 30 2 *": "no month",
    "0 0 31 4,6,9,11 *": "no month",
    [`${"1,".repeat(400)}1 * * * *`]: "at most 512",
    "2026-11-23T23:58Z": "has passed",
    "2027-02-29T09:00": "calendar",
    "2027-03-01T24:00": "calendar",
    "2027-03-01": "form",
    "2027-03-01T09:00+25:00": "offset",
  };
  for (const [text, reason] of Object.entries(refused)) {
    expect(() => read(text), text).toThrow(ScheduleError);
    expect(() => read(text), text).toThrow(reason);
  }
  for (const zone of ["Mars/Olympus", "+02:00", "", "x".repeat(100)])
    expect(() => read("0 0 * * *", zone)).toThrow("IANA");
});

test("a fixed time in a gap happens at its end, a repeated one the first time (CR3)", () => {
  expect(first(3, "30 2 * * *", "Europe/Berlin", "2027-03-27T12:00Z")).toEqual([
    ...["2027-03-28T01:00Z", "2027-03-29T00:30Z", "2027-03-30T00:30Z"],
  ]);
  expect(first(2, "0,30 1-3 * * *", "Europe/Berlin", "2027-03-28T00:29Z")).toEqual([
    "2027-03-28T00:30Z",
    "2027-03-28T01:00Z",
  ]);
  expect(first(2, "30 2 * * *", "Europe/Berlin", "2027-10-30T12:00Z")).toEqual([
    "2027-10-31T00:30Z",
    "2027-11-01T01:30Z",
  ]);
  expect(first(2, "15 2 * * *", "Australia/Lord_Howe", "2027-10-02T00:00Z")).toEqual([
    "2027-10-02T15:30Z",
    "2027-10-03T15:15Z",
  ]);
});

test("other patterns follow the wall: nothing in a gap, both times where it repeats", () => {
  expect(first(2, "*/30 2 * * *", "Europe/Berlin", "2027-03-28T00:00Z")).toEqual([
    "2027-03-29T00:00Z",
    "2027-03-29T00:30Z",
  ]);
  expect(first(5, "*/30 2 * * *", "Europe/Berlin", "2027-10-31T00:00Z").slice(0, 3)).toEqual([
    ...["2027-10-31T00:30Z", "2027-10-31T01:00Z", "2027-10-31T01:30Z"],
  ]);
});

test("a datetime: its offset wins over the zone; without one it is a time on the zone's wall", () => {
  const at = (text: string, zone?: string) => iso((read(text, zone) as { at: number }).at);
  expect(at("2027-03-01T09:00", "Asia/Kathmandu")).toBe("2027-03-01T03:15Z");
  expect(at("2027-03-01T09:00-05:00", "Asia/Kathmandu")).toBe("2027-03-01T14:00Z");
  expect(at("2027-03-01t09:00:30.5z")).toBe("2027-03-01T09:00:30.500Z");
  expect(at("2027-03-28T02:30", "Europe/Berlin")).toBe("2027-03-28T01:00Z");
  expect(at("2027-10-31T02:30", "Europe/Berlin")).toBe("2027-10-31T00:30Z");
  expect(at("2026-11-23T23:59:30Z")).toBe("2026-11-23T23:59:30.000Z");
  const once = read("2027-03-01T09:00Z");
  expect([iso(nextSlot(once, 0)), nextSlot(once, Date.parse("2027-03-01T09:00Z"))]).toEqual([
    "2027-03-01T09:00Z",
    undefined,
  ]);
});

test("the last slot of a span and how many it has", () => {
  const every = read("* * * * *");
  const [after, until] = ["2026-10-24T00:00Z", "2026-11-24T00:00:30Z"].map((text) => Date.parse(text)) as [
    number,
    number,
  ];
  expect(iso(latestSlot(every, after, until))).toBe("2026-11-24T00:00Z");
  expect(countSlots(every, { after, until }, 1_000)).toBe(1_000);
  const monthly = read("0 0 1 * *");
  expect(iso(latestSlot(monthly, after, until))).toBe("2026-11-01T00:00Z");
  expect(countSlots(monthly, { after, until }, 1_000)).toBe(1);
  expect(latestSlot(monthly, Date.parse("2026-11-01T00:00Z"), until)).toBeUndefined();
});

test("words, and a note for each change of clocks that touches the schedule", () => {
  expect(wordsOf(read("30 2 * * 1-5"))).toBe("At 02:30, Monday through Friday");
  expect(wordsOf(read("2027-03-01T09:00"))).toBe("Once, at 2027-03-01T09:00");
  expect(wordsOf(read("30 2 * * 0-7"))).toBe("At 02:30");
  expect(wordsOf(read("30 2 1 * 0-7"))).toBe("At 02:30");
  expect(wordsOf(read("30 2 * * 0,7"))).toBe("At 02:30, only on Sunday");
  expect(wordsOf(read("30 2 * * 0-7/2"))).toBe("At 02:30, only on Sunday, Tuesday, Thursday, and Saturday");
  expect(wordsOf(read("30 2 * * 5-7"))).toBe("At 02:30, Friday through Sunday");
  const notes = (text: string) =>
    dstNotes(read(text, "Europe/Berlin"), Date.parse("2027-01-01"), Date.parse("2028-01-01")).map(
      ({ effect, text: note }) => [effect, note],
    );
  expect(notes("30 2 * * *")).toEqual([
    ["moved", "clocks go from 2027-03-28 02:00 to 03:00: 02:30 does not exist; it runs when the clocks change"],
    ["first time only", "clocks go from 2027-10-31 03:00 to 02:00: 02:30 comes twice; it runs the first time only"],
  ]);
  expect(notes("* * * * *").map(([effect]) => effect)).toEqual(["skipped", "both times"]);
  expect(notes("0 9 * * *")).toEqual([]);
  expect(notes("2027-03-28T02:30")).toEqual([
    ["moved", "clocks go from 2027-03-28 02:00 to 03:00: 02:30 does not exist; it runs when the clocks change"],
  ]);
  expect(notes("2027-10-31T02:00:30")).toEqual([
    ["first time only", "clocks go from 2027-10-31 03:00 to 02:00: 02:00 comes twice; it runs the first time only"],
  ]);
  for (const untouched of ["2027-03-28T01:59", "2027-03-28T03:00", "2027-10-31T03:00", "2027-10-31T02:30+02:00"])
    expect(notes(untouched)).toEqual([]);
});

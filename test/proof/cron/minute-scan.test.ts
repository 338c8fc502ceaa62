import fc from "fast-check";
import { expect, test } from "vitest";
import { nextSlot, parseSchedule, Zones } from "../../../packages/agent-core/src/cron/index.ts";
import { scanMinutes, type WallOf, wallByIntl } from "./minute-scan.ts";
import { randomPattern } from "./random-pattern.ts";

const MINUTE_MS = 60_000;
const DAY = 1440;

/** Days on which clocks change, in ways that differ: half an hour, two hours, at midnight, at odd minutes, for good. */
const changes: readonly (readonly [zone: string, ...days: string[]])[] = [
  ["UTC", "2024-02-28"],
  ["Europe/Berlin", "2026-03-28", "2026-10-24"],
  ["America/New_York", "2025-03-08", "2025-11-01"],
  ["Australia/Lord_Howe", "2024-04-06", "2027-10-02"],
  ["Pacific/Chatham", "2024-04-06", "2025-09-27"],
  ["Antarctica/Troll", "2024-03-30", "2026-10-24"],
  ["America/Santiago", "2024-04-06", "2025-09-06"],
  ["Africa/Casablanca", "2024-03-09", "2024-04-13"],
  ["Asia/Beirut", "2025-03-29", "2025-10-25"],
  ["Africa/Cairo", "2024-04-25", "2024-10-31"],
  ["America/Nuuk", "2024-03-30", "2024-10-26"],
  ["Asia/Almaty", "2024-02-29"],
  ["Asia/Kathmandu", "2025-12-30"],
];

test("the slots around changes of clocks are those of a scan of every minute (CR2, CR3)", () => {
  const zones = new Zones();
  const walls = new Map<string, Map<number, number>>();
  const wallOf = (zone: string): WallOf => {
    const intl = wallByIntl(zone);
    const known = walls.get(zone) ?? new Map<number, number>();
    walls.set(zone, known);
    return (minute) => {
      const wall = known.get(minute) ?? intl(minute);
      known.set(minute, wall);
      return wall;
    };
  };
  const spans = changes.flatMap(([zone, ...days]) =>
    days.map((day) => ({ zone, from: Date.parse(day) / MINUTE_MS, wall: wallOf(zone) })),
  );
  const pattern = fc
    .infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
    .map((stream) => randomPattern(() => stream.next().value ?? 0));
  let seen = 0;
  fc.assert(
    fc.property(pattern, fc.constantFrom(...spans), (text, { zone, from, wall }) => {
      const until = (from + 2 * DAY) * MINUTE_MS;
      const schedule = (() => {
        try {
          return parseSchedule(zones, { schedule: text, timezone: zone, now: from * MINUTE_MS });
        } catch {
          return undefined;
        }
      })();
      const slots: number[] = [];
      let slot = schedule && nextSlot(schedule, from * MINUTE_MS - 1);
      while (schedule !== undefined && slot !== undefined && slot < until) {
        slots.push(slot / MINUTE_MS);
        slot = nextSlot(schedule, slot);
      }
      seen += slots.length;
      expect(slots).toEqual(scanMinutes(text, wall, from, from + 2 * DAY));
    }),
    { numRuns: 400 },
  );
  expect(seen).toBeGreaterThan(1_000);
});

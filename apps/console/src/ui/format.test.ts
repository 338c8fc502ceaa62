import { expect, test } from "vitest";
import { ago, bytes, count, dayName, dollars, duration, tokens, UNKNOWN } from "./format.ts";

test("an unknown figure is a dash, and zero is a zero", () => {
  for (const format of [count, tokens, dollars, duration, bytes]) {
    expect(format(undefined)).toBe(UNKNOWN);
    expect(format(null)).toBe(UNKNOWN);
    expect(format(0)).not.toBe(UNKNOWN);
  }
});

test("spans and sums have their significant digits", () => {
  expect([38, 4_240, 41_000, 185_000, 7_800_000].map(duration)).toEqual([
    "38 ms",
    "4.2 s",
    "41 s",
    "3 min 5 s",
    "2 h 10 min",
  ]);
  expect([0, 0.0042, 0.5, 12.345].map(dollars)).toEqual(["$0.00", "$0.0042", "$0.50", "$12.35"]);
  expect([512, 9_400, 120_000_000].map(bytes)).toEqual(["512 B", "9.4 kB", "120 MB"]);
});

test("times are relative to now", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  const before = (seconds: number): string => ago(new Date(now.getTime() - seconds * 1_000), now);
  expect([1, 30, 300, 7_200, 172_800].map(before)).toEqual([
    "now",
    "30 sec. ago",
    "5 min. ago",
    "2 hr. ago",
    "2 days ago",
  ]);
});

test("days are named as people name them", () => {
  const now = new Date(2026, 0, 1, 0, 5);
  const day = (before: number): string => dayName(new Date(2026, 0, 1 - before, 23, 59), now);
  expect([day(0), day(1)]).toEqual(["Today", "Yesterday"]);
  expect(day(2)).toContain("2025");
  expect(dayName(new Date(2026, 0, 5), now)).not.toContain("2026");
});

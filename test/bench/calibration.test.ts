import { afterEach, expect, test, vi } from "vitest";
import { holdBounds } from "../../bench/bounds.ts";
import { calibrate, calibrationLine, REFERENCE, slower } from "../../bench/calibration.ts";

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

test("the calibration's factor is what its work took, as a multiple of what it takes on the reference machine", async () => {
  const found = await calibrate(1);
  const expected = (found.cpuMs + found.writesMs) / (REFERENCE.cpuMs + REFERENCE.writesMs);
  expect(found.factor).toBeCloseTo(expected, 9);
  expect(found.factor).toBeGreaterThan(0);
  const twice = { ...found, factor: 2 * found.factor };
  expect([slower(found, twice), slower(twice, found)]).toEqual([twice, twice]);
  expect(calibrationLine(found)).toContain(`calibration: ${found.factor.toFixed(2)} ×`);
});

test.each([
  ["a time within its bound on a slower machine", { found: 90, isTime: true }, "held", undefined],
  ["a time beyond it there", { found: 101, isTime: true }, "BROKEN", 1],
  ["memory, which no machine excuses", { found: 90, isTime: false }, "BROKEN", 1],
])("%s", (_what, { found, isTime }, verdict, code) => {
  const print = vi.spyOn(console, "log").mockReturnValue();
  holdBounds([{ what: "it", most: 50, found, isTime }], 2);
  expect(print.mock.calls.map(([line]) => String(line).split(":")[0])).toEqual([verdict]);
  expect(process.exitCode).toBe(code);
});

test("what was not measured breaks no bound", () => {
  const print = vi.spyOn(console, "log").mockReturnValue();
  holdBounds([{ what: "it", most: 50, found: undefined, isTime: false }], 1);
  expect(print).not.toHaveBeenCalled();
});

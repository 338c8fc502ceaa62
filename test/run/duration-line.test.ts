import { expect, test } from "vitest";
import { durationLine } from "./duration-line.ts";

test("the duration of the suite is compared with its bound times the machine's factor", () => {
  expect(durationLine(470.4, [1, 1])).toBe(
    "took 470 s; alone at most 480 s x 1.00 (measured 1.00 and 1.00) = 480 s: held",
  );
  expect(durationLine(600, [1.2, 1.4])).toBe(
    "took 600 s; alone at most 480 s x 1.30 (measured 1.20 and 1.40) = 624 s: held",
  );
  expect(durationLine(481, [1])).toBe("took 481 s; alone at most 480 s x 1.00 (measured 1.00) = 480 s: missed");
});

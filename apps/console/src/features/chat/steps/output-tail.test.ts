import { expect, test } from "vitest";
import { asShown, MOST_SHOWN, NOTHING, withMore } from "./output-tail.ts";

test("of a long output whole lines are left out at its beginning, and that is said", () => {
  const line = `${"x".repeat(99)}\n`;
  const long = withMore(withMore(NOTHING, `first\n${line.repeat(600)}`), `${line.repeat(100)}last`);
  expect(long).toMatchObject({ isCut: true, text: expect.stringMatching(/^x{99}\n.*\nlast$/s) });
  expect(long.text.length).toBeLessThanOrEqual(MOST_SHOWN);
  expect(withMore(NOTHING, "short\n")).toEqual({ text: "short\n", isCut: false });
  // One line without an end.
  expect(withMore(NOTHING, "y".repeat(MOST_SHOWN + 1)).text).toHaveLength(MOST_SHOWN);
});

test("colours are left out, and a line that was written over is shown once", () => {
  expect(asShown("\u001B]0;title\u0007\u001B[32mok\u001B[0m\r\n10 %\r50 %\r100 %\r\ndone")).toBe("ok\n100 %\ndone");
});

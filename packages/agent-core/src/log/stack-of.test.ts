import { expect, it } from "vitest";
import { stackOf } from "./index.ts";

it("returns the stack, else the message, and the text of what is no error", () => {
  expect(stackOf(new TypeError("no such row"))).toMatch(/^TypeError: no such row\n +at .*stack-of\.test\.ts/);
  expect(stackOf(Object.assign(new Error("no such row"), { stack: undefined }))).toBe("no such row");
  expect(stackOf("no such row")).toBe("no such row");
});

import { expect, test } from "vitest";
import { fileName } from "./export-session.ts";

test("a title becomes the name of a file, whatever it holds", () => {
  expect(fileName("Find out: why? ../../etc")).toBe("Find-out-why-etc");
  expect(fileName("…")).toBe("conversation");
  expect(fileName("x".repeat(100))).toHaveLength(60);
});

import { expect, test } from "vitest";
import { LOOKS, sentence } from "./server-state.ts";

test("no two states of a server have the same word", () => {
  const labels = Object.values(LOOKS).map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
});

test("a reason of the service is shown as a sentence", () => {
  expect(sentence("it did not answer within 20 s")).toBe("It did not answer within 20 s.");
  expect(sentence("`name` is missing; give one.")).toBe("`name` is missing; give one.");
});

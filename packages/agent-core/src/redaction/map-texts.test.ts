import { expect, it } from "vitest";
import { mapTexts } from "./index.ts";

const mask = (text: string): string => text.replaceAll("secret", "***");

it("changes texts and names however deep, and leaves the rest and its kind", () => {
  const value = { question: "is it secret?", steps: [{ schema: { secret: { type: "string" } }, n: 1, none: null }] };
  expect(mapTexts(value, mask)).toEqual({
    question: "is it ***?",
    steps: [{ schema: { "***": { type: "string" } }, n: 1, none: null }],
  });
});

it("gives back the same object where nothing changes", () => {
  const value = { list: ["a", { b: "c" }] };
  expect(mapTexts(value, mask)).toBe(value);
});

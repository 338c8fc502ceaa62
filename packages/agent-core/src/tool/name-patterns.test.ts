import fc from "fast-check";
import { expect, it } from "vitest";
import { nameMatcher } from "./name-patterns.ts";

const fits = (name: string, ...patterns: string[]) => nameMatcher(patterns)?.(name);

it("fits names and patterns, whole", () => {
  expect(nameMatcher([])).toBeUndefined();
  expect(fits("web_search", "web_search")).toBe(true);
  expect(fits("web_search2", "web_search")).toBe(false);
  expect(fits("web_search", "web_*")).toBe(true);
  expect(fits("a_web_search", "web_*")).toBe(false);
  expect(fits("github__create_issue", "*__create_*")).toBe(true);
  expect(fits("aa", "a*a")).toBe(true);
  expect(fits("a", "a*a")).toBe(false);
  expect(fits("anything", "*")).toBe(true);
  expect(fits("calculator", "web_*", "calculator")).toBe(true);
});

it("fits what a regular expression of the same meaning fits", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
  fc.assert(
    fc.property(text, pattern, (name, glob) => {
      const same = new RegExp(`^${glob.replaceAll("*", ".*")}$`);
      expect(fits(name, glob)).toBe(same.test(name));
    }),
  );
});

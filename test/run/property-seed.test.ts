import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultSeed, propertySeed } from "./property-seed.ts";

test("property tests draw the same values every time unless another seed is asked for", () => {
  expect(propertySeed({})).toBe(defaultSeed);
  expect(propertySeed({ PROPERTY_SEED: "7" })).toBe(7);
  expect(propertySeed({ PROPERTY_SEED: "random" })).toBeUndefined();
  expect(() => propertySeed({ PROPERTY_SEED: "seven" })).toThrow("PROPERTY_SEED");
});

test("the seed reaches every test file", () => {
  expect(fc.readConfigureGlobal()?.seed).toBe(propertySeed(process.env));
});

import { expect, it } from "vitest";
import { StartupError } from "../cli/index.ts";
import { inFeature } from "./in-feature.ts";

it("names the feature and the phase of a failure, and keeps its reason", () => {
  const reason = new TypeError("words is not iterable");
  const failing = (): never => {
    throw reason;
  };
  expect(() => inFeature("greeting", "make its services", failing)).toThrow(
    expect.objectContaining({
      message: "the feature greeting failed to make its services: words is not iterable",
      cause: reason,
    }),
  );
});

it("returns what the feature returns, and lets a line for the operator pass as it is", () => {
  expect(inFeature("greeting", "open", () => 7)).toBe(7);
  const line = new StartupError("config-invalid", "greeting.words: must be a list");
  expect(() =>
    inFeature("greeting", "open", () => {
      throw line;
    }),
  ).toThrow(line);
});

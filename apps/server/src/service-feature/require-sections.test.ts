import { expect, it } from "vitest";
import { SECTIONS } from "../settings/index.ts";
import { requireSections } from "./require-sections.ts";

it("names a feature whose section the service does not load, before anything starts", () => {
  const [first] = SECTIONS;
  expect(() => requireSections([{ name: "greeting", sections: [first] }, { name: "plain" }], SECTIONS)).not.toThrow();
  expect(() => requireSections([{ name: "greeting", sections: [{ name: "greetings" }] }], SECTIONS)).toThrow(
    "the feature greeting reads the section greetings, which the service does not load",
  );
});

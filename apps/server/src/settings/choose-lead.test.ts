import type { Provenance } from "@agent-service/config";
import { expect, test } from "vitest";
import { chooseLead, namesModel } from "./choose-lead.ts";

test.each([
  [{ setupComplete: false, ui: "console", named: false }, "scripted"],
  [{ setupComplete: false, ui: "console", named: true }, "configured"],
  [{ setupComplete: true, ui: "console", named: false }, "configured"],
  [{ setupComplete: true, ui: "console", named: true }, "configured"],
  [{ setupComplete: false, ui: "none", named: false }, "refuse"],
  [{ setupComplete: false, ui: "none", named: true }, "configured"],
  [{ setupComplete: true, ui: "none", named: false }, "configured"],
  [{ setupComplete: true, ui: "none", named: true }, "configured"],
] as const)("with %j the lead is %s (R10)", (facts, lead) => {
  expect(chooseLead(facts)).toBe(lead);
});

const file: Provenance = { layer: "file", file: "f", line: 1 };
const env: Provenance = { layer: "env", variable: "V" };

test.each<[string, Provenance, boolean]>([
  ["providers", file, true],
  ["providers", { layer: "host", file: "h", line: 1 }, true],
  ["model.name", file, true],
  ["model.name", env, true],
  ["model.api_key", env, true],
  ["model.api_base", file, true],
  ["model.provider", file, true],
  ["model.name", { layer: "default" }, false],
  ["model.temperature", file, false],
  ["identity.name", env, false],
])("%s from %j names a model: %s", (key, from, named) => {
  expect(namesModel(new Map([[key, from]]))).toBe(named);
});

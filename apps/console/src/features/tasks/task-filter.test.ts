import { expect, test } from "vitest";
import { originLabel, readFilter } from "./task-filter.ts";

test("an address filters the tasks, and unknown values are ignored", () => {
  expect(readFilter({ state: "failed", origin: "chat" })).toEqual({ state: "failed", origin: "chat" });
  expect(readFilter({ state: "lost", origin: "constructor", more: 1 })).toEqual({});
  expect([originLabel("v1"), originLabel("toString")]).toEqual(["OpenAI API", "toString"]);
});

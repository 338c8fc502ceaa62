import { expect, test } from "vitest";
import { originWord, readFilter } from "./task-filter.ts";

test("an address says which tasks are shown, and nothing that is not known", () => {
  expect(readFilter({ state: "failed", origin: "chat" })).toEqual({ state: "failed", origin: "chat" });
  expect(readFilter({ state: "lost", origin: "constructor", more: 1 })).toEqual({});
  expect([originWord("v1"), originWord("toString")]).toEqual(["OpenAI API", "toString"]);
});

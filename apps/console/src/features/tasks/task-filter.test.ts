import { expect, test } from "vitest";
import { queryOf, readFilter } from "./task-filter.ts";

test("an address filters the tasks, and unknown values are ignored", () => {
  expect(readFilter({ state: "failed", origin: "chat" })).toEqual({ state: "failed", origin: "chat" });
  expect(readFilter({ search: " 42 " })).toEqual({ search: "42" });
  expect(readFilter({ search: 42 })).toEqual({ search: "42" });
  expect(readFilter({ search: " " })).toEqual({});
  expect(readFilter({ model: "m-1", tool: 7 })).toEqual({ model: "m-1", tool: "7" });
  const hour = { from: "2026-01-02T10:00:00.000Z", to: "2026-01-02T11:00:00.000Z" };
  expect(readFilter({ ...hour })).toEqual(hour);
  expect(readFilter({ from: "then", to: 5 })).toEqual({});
  expect(readFilter({ state: "lost", origin: "constructor", more: 1 })).toEqual({});
});

test("chats of the console are asked for by what they are to the API: A2A of the operator", () => {
  expect(queryOf({ state: "failed", origin: "chat" })).toEqual({ state: "failed", origin: "a2a", class: "operator" });
  expect(queryOf({ origin: "a2a" })).toEqual({ origin: "a2a", class: "federation" });
  expect(queryOf({ origin: "auxiliary" })).toEqual({ origin: "auxiliary" });
  expect(queryOf({ origin: "api" })).toEqual({ origin: "chat" });
  expect(queryOf({ search: "gull" })).toEqual({ search: "gull" });
  expect(queryOf({ model: "m-1", tool: "calculator" })).toEqual({ model: "m-1", tool: "calculator" });
  expect(queryOf({ from: "2026-01-02T10:00:00Z" })).toEqual({ since: "2026-01-02T10:00:00Z" });
  expect(queryOf({})).toEqual({});
});

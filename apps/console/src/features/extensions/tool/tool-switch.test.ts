import { expect, test } from "vitest";
import { selectionOf, switchOf } from "./tool-switch.ts";

const off = (include: readonly string[], exclude: readonly string[], name = "read") =>
  switchOf({ name, state: "on" }, { include, exclude });
const on = (include: readonly string[], exclude: readonly string[], name = "read") =>
  switchOf({ name, state: "off" }, { include, exclude });

test("a tool is switched off by its name and on again", () => {
  expect(off([], ["move_*"])).toEqual({ next: { include: [], exclude: ["move_*", "read"] } });
  expect(on([], ["move_*", "read"])).toEqual({ next: { include: [], exclude: ["move_*"] } });
});

test("a list of the only tools to have loses it and gets it back", () => {
  expect(off(["read", "list"], [])).toEqual({ next: { include: ["list"], exclude: [] } });
  expect(on(["list"], ["read"])).toEqual({ next: { include: ["list", "read"], exclude: [] } });
});

test("the last of such a list leaves none, not all", () => {
  expect(off(["read"], [])).toEqual({ next: { include: [], exclude: ["*"] } });
  expect(on([], ["*"])).toEqual({ next: { include: ["read"], exclude: ["*"] } });
});

test("what a pattern or another list decides is not changed behind it, and named", () => {
  expect(off(["read*"], [])).toEqual({ reason: "tools.include has it by the pattern read*." });
  expect(on([], ["r*d"])).toEqual({ reason: "tools.exclude leaves it out by the pattern r*d." });
  expect(on([], [])).toEqual({ reason: "mcp.denylist leaves it out." });
  expect(on(["read"], [])).toEqual({ reason: "mcp.denylist leaves it out." });
  expect(on([], ["r.ad"], "read")).toEqual({ reason: "mcp.denylist leaves it out." });
});

test("settings without a selection, or with what is none, select all", () => {
  expect(selectionOf({})).toEqual({ include: [], exclude: [] });
  expect(selectionOf({ tools: { include: "read", exclude: ["a", 1] } })).toEqual({ include: [], exclude: ["a"] });
});

import { MessageSquare } from "lucide-react";
import { expect, test } from "vitest";
import type { ConsoleApi } from "../api/index.ts";
import { beyondBar, firstScreen, inRailOrder, pagesFor, type Screen, screensFor } from "./screen.ts";

const screen = (id: string, feature?: string | readonly string[]): Screen => ({
  ...{ id, order: 0, label: id, icon: MessageSquare, group: "work", key: id, routes: () => [] },
  ...(feature !== undefined && { feature }),
});

test("screens come in the order they ask for, however they are listed", () => {
  const screens = [
    { ...screen("settings"), order: 60 },
    { ...screen("goals"), order: 25 },
    { ...screen("chat"), order: 10 },
  ];
  expect(inRailOrder(screens).map(({ id }) => id)).toEqual(["chat", "goals", "settings"]);
});

test("screens of what the service does not have do not exist", () => {
  const screens = [screen("chat"), screen("goals", "goals"), screen("inbox", "inbox")];
  const shown = screensFor(screens, { inbox: { available: true }, goals: { available: false } });
  expect(shown.map(({ id }) => id)).toEqual(["chat", "inbox"]);
  const work = [screen("work", ["goals", "inbox"]), screen("other", ["goals", "watches"])];
  expect(screensFor(work, { inbox: { available: true } }).map(({ id }) => id)).toEqual(["work"]);
  expect(screensFor(screens, undefined).map(({ id }) => id)).toEqual(["chat"]);
});

test("a screen that asks for it exists only while its feature is on", () => {
  const files = [{ ...screen("files", "code_pane"), whenEnabled: true }];
  const shown = (enabled: boolean) => screensFor(files, { code_pane: { available: true, enabled } });
  expect([shown(true).length, shown(false).length]).toEqual([1, 0]);
});

test("a phone's bar has five entries: with more screens, four and the menu of the others", () => {
  const beyond = (...ids: readonly string[]) => beyondBar(ids.map((id) => screen(id))).map(({ id }) => id);
  expect(beyond("a", "b", "c", "d", "e")).toEqual([]);
  expect(beyond("a", "b", "c", "d", "e", "f")).toEqual(["e", "f"]);
});

test("pages of what the service does not have do not exist either", () => {
  const pages = [
    { path: "/work/jobs", label: "Jobs", feature: "background" },
    { path: "/work", label: "All" },
  ];
  expect(pagesFor({ pages }, { background: { available: false, enabled: false } }).map(({ label }) => label)).toEqual([
    "All",
  ]);
  expect(pagesFor({ pages }, { background: { available: true, enabled: false } })).toHaveLength(2);
  expect(pagesFor({}, undefined)).toEqual([]);
});

test("a screen that asks for it is shown first; else the first of the rail, which one elsewhere never is", async () => {
  const api = {} as ConsoleApi;
  const wizard = (wants: boolean): Screen => ({
    ...screen("setup"),
    group: "elsewhere",
    first: () => Promise.resolve(wants),
  });
  const begin = async (screens: readonly Screen[]) => (await firstScreen(screens, api))?.id;
  expect(await begin([screen("chat"), wizard(true)])).toBe("setup");
  expect(await begin([wizard(false), screen("chat")])).toBe("chat");
  expect(await begin([])).toBeUndefined();
});

import { MessageSquare } from "lucide-react";
import { expect, test } from "vitest";
import { type Screen, screensFor } from "./screen.ts";

const screen = (id: string, feature?: string | readonly string[]): Screen => ({
  ...{ id, label: id, icon: MessageSquare, group: "work", key: id, routes: () => [] },
  ...(feature !== undefined && { feature }),
});

test("screens of what the service does not have do not exist", () => {
  const screens = [screen("chat"), screen("goals", "goals"), screen("inbox", "inbox")];
  const shown = screensFor(screens, { inbox: { available: true }, goals: { available: false } });
  expect(shown.map(({ id }) => id)).toEqual(["chat", "inbox"]);
  const work = [screen("work", ["goals", "inbox"]), screen("other", ["goals", "watches"])];
  expect(screensFor(work, { inbox: { available: true } }).map(({ id }) => id)).toEqual(["work"]);
  expect(screensFor(screens, undefined).map(({ id }) => id)).toEqual(["chat"]);
});

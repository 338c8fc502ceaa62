import { expect, test, vi } from "vitest";
import { pageCommands } from "./page-commands.ts";

const control = (name: string, about = "", press = () => {}) => ({ name, about, press });

test("every control of a screen is a command; controls of one name also name their row or card", () => {
  const commands = pageCommands([
    control("Clear ended"),
    control("Cancel", "Count the records"),
    control("Cancel", "Compare two archives"),
    control(""),
  ]);
  expect(commands.map(({ label }) => label)).toEqual([
    "Clear ended",
    "Cancel: Count the records",
    "Cancel: Compare two archives",
  ]);
  expect(new Set(commands.map(({ group }) => group))).toEqual(new Set(["On this screen"]));
});

test("a control is not named twice after what it is in", () => {
  const link = (where: string) => control("Open Tools", where);
  expect(pageCommands([link("Tools"), link("Tools")]).map(({ label }) => label)).toEqual(["Open Tools"]);
});

test("of controls with the same name the last one counts, which is the newest", () => {
  const [first, last] = [vi.fn(), vi.fn()];
  const commands = pageCommands([control("Copy answer", "Ada", first), control("Copy answer", "Ada", last)]);
  expect(commands).toHaveLength(1);
  commands[0]?.run();
  expect(first).not.toHaveBeenCalled();
  expect(last).toHaveBeenCalledOnce();
});

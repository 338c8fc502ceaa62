import { expect, test, vi } from "vitest";
import { pageCommands } from "./page-commands.ts";

const control = (name: string, about = "", press = () => {}) => ({ name, about, press });

test("what can be pressed on a screen is a command; of one name each says what it is about", () => {
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

test("of those that read the same the newest counts, which stands last", () => {
  const [first, last] = [vi.fn(), vi.fn()];
  const commands = pageCommands([control("Copy answer", "Ada", first), control("Copy answer", "Ada", last)]);
  expect(commands).toHaveLength(1);
  commands[0]?.run();
  expect(first).not.toHaveBeenCalled();
  expect(last).toHaveBeenCalledOnce();
});

import { expect, test, vi } from "vitest";
import { type Command, createCommandRegistry, matching } from "./command-registry.ts";
import { createKeyReader, keysLabel } from "./key-sequence.ts";

const command = (id: string, label: string, keywords = ""): Command => ({
  id,
  label,
  keywords,
  group: "Go",
  run: () => {},
});
const press = (key: string, more = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, intoText: false },
  ...more,
});

test("a part's commands are there while it is, the newest first", () => {
  const registry = createCommandRegistry();
  const listener = vi.fn();
  registry.subscribe(listener);
  registry.add([command("a", "A")]);
  const remove = registry.add([command("b", "B")]);
  expect(registry.list().map(({ id }) => id)).toEqual(["b", "a"]);
  remove();
  expect(registry.list().map(({ id }) => id)).toEqual(["a"]);
  expect(listener).toHaveBeenCalledTimes(3);
});

test("a search matches all of its terms, in any order, labels first", () => {
  const commands = [command("jobs", "Work", "background jobs"), command("chat", "Chat"), command("back", "Background")];
  expect(matching(commands, "back").map(({ id }) => id)).toEqual(["back", "jobs"]);
  expect(matching(commands, "jobs go").map(({ id }) => id)).toEqual(["jobs"]);
  expect(matching(commands, "").length).toBe(3);
});

test("two keys within a second are a sequence, a modifier makes one of its own", () => {
  const read = createKeyReader();
  expect(read(press("g"), 0)).toEqual(["g"]);
  expect(read(press("C"), 900)).toEqual(["g c", "c"]);
  expect(read(press("x"), 2_000)).toEqual(["x"]);
  expect(read(press("k", { metaKey: true }), 5_000)).toEqual(["mod+k"]);
  expect(read(press("Shift"), 5_100)).toEqual([]);
  expect(read(press("?", { intoText: true }), 9_000)).toEqual([]);
  expect(read(press("k", { intoText: true, ctrlKey: true }), 12_000)).toEqual(["mod+k"]);
});

test("keys are shown as people read them", () => {
  expect(keysLabel("mod+k", true)).toBe("⌘ K");
  expect(keysLabel("mod+k", false)).toBe("Ctrl K");
  expect(keysLabel("g c", false)).toBe("G then C");
});

import { expect, test } from "vitest";
import { modeOfTheme, showTheme, themeModeOf } from "./theme-mode.ts";

test("a stored mode is read, and an unknown one follows the operating system", () => {
  expect(["light", "dark", "system", "sepia", undefined, 3].map(themeModeOf)).toEqual([
    ...["light", "dark", "system", "system", "system", "system"],
  ]);
  expect(modeOfTheme({ mode: "dark", of: "another version" })).toBe("dark");
  expect(modeOfTheme({ mode: "sepia" })).toBeUndefined();
  expect(modeOfTheme(null)).toBeUndefined();
});

test("the system's own brightness needs no mark on the page", () => {
  const root = { dataset: {} as DOMStringMap };
  showTheme("dark", root);
  expect(root.dataset.theme).toBe("dark");
  showTheme("system", root);
  expect("theme" in root.dataset).toBe(false);
});

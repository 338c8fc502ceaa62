import { expect, test } from "vitest";
import { withSettings } from "./setting-names.ts";

test("the settings that a refusal names are found, wherever they stand", () => {
  const text = "It lies outside of onboarding.root, and onboarding.approve_outside_root is off.";
  expect(withSettings(text).filter(({ isSetting }) => isSetting)).toEqual([
    { text: "onboarding.root", isSetting: true },
    { text: "onboarding.approve_outside_root", isSetting: true },
  ]);
  expect(
    withSettings(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

test("hosts and files are no settings", () => {
  expect(withSettings("github.com/example/app is not reached: projects/app.")).toHaveLength(1);
});

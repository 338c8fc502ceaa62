import { expect, test } from "vitest";
import { runCommands } from "./commands/run-commands.ts";

test("of 400 shapes of commands none runs unseen that could write or run something, and 100 harmless ones do (F10)", () => {
  const report = runCommands();
  expect(report).toMatchObject({ wronglyApproved: [], asked: [] });
  expect(report.shapes).toBeGreaterThanOrEqual(400);
  expect(report.harmless).toBeGreaterThanOrEqual(100);
});

test("the trial notices harmless commands that are asked about", () => {
  expect(runCommands(["git status"]).asked.length).toBeGreaterThan(50);
});

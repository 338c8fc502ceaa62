import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { themeFile } from "./theme-file.ts";

const folder = mkdtempSync(join(tmpdir(), "theme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("keeps a theme over restarts; what cannot be read counts as none", async () => {
  const file = join(folder, "instance", "theme.json");
  let changes = 0;
  const open = () => themeFile(file, () => changes++);
  expect(await open().read()).toBeNull();
  await open().save({ accent: "red" });
  expect(await open().read()).toEqual({ accent: "red" });
  await open().clear();
  await open().clear();
  expect(await open().read()).toBeNull();
  for (const text of ["{", "[]", "7"]) {
    writeFileSync(file, text);
    expect(await open().read()).toBeNull();
  }
  expect(changes).toBe(3);
});

it("fails where its folder cannot be made, and does not wait for ever", async () => {
  await expect(themeFile("/proc/none/theme.json", () => {}).save({ accent: "red" })).rejects.toThrow(/ENOENT/);
});

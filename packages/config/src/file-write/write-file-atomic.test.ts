import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeFileAtomic } from "./write-file-atomic.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "write-atomic-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("replace puts the new text in place with the mode asked for, whatever the old one was", () => {
  const file = join(folder, "a.yaml");
  writeFileSync(file, "old");
  chmodSync(file, 0o644);
  expect(writeFileAtomic(file, "new", { mode: 0o600, when: "replace" })).toBe(true);
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["a.yaml"]);
});

test("create never overwrites and leaves nothing behind", () => {
  const file = join(folder, "a.yaml");
  expect(writeFileAtomic(file, "first", { mode: 0o600, when: "create" })).toBe(true);
  expect(writeFileAtomic(file, "second", { mode: 0o600, when: "create" })).toBe(false);
  expect(readFileSync(file, "utf8")).toBe("first");
  expect(readdirSync(folder)).toEqual(["a.yaml"]);
});

test("a write that cannot succeed throws and leaves what was there", () => {
  mkdirSync(join(folder, "taken"));
  writeFileSync(join(folder, "taken", "inside"), "x");
  expect(() => writeFileAtomic(join(folder, "taken"), "new", { mode: 0o600, when: "replace" })).toThrow();
  expect(() => writeFileAtomic(join(folder, "no", "such"), "new", { mode: 0o600, when: "create" })).toThrow(/ENOENT/);
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test("a large text is written whole", () => {
  const file = join(folder, "large");
  const text = "ä".repeat(1_000_000);
  writeFileAtomic(file, text, { mode: 0o600, when: "replace" });
  expect(readFileSync(file, "utf8") === text).toBe(true);
});

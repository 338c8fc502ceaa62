import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeFolder } from "../index.ts";

const root = mkdtempSync(join(tmpdir(), "make-folder-"));
afterAll(() => rmSync(root, { recursive: true }));

it("makes a folder and those it lies in for their owner only, and leaves one that is there", () => {
  makeFolder(join(root, "a/b"));
  makeFolder(join(root, "a/b"));
  expect(["a", "a/b"].map((path) => statSync(join(root, path)).mode & 0o777)).toEqual([0o700, 0o700]);
});

it("throws where none can be made, also below a folder that denies that it is there", () => {
  writeFileSync(join(root, "file"), "");
  expect(() => makeFolder(join(root, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(join(root, "file/below/it"))).toThrow("ENOTDIR");
  expect(() => makeFolder("/proc/none/below")).toThrow(/ENOENT|EROFS|EACCES/);
});

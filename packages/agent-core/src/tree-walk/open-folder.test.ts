import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { IgnoreRules, OpenFolder } from "./index.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "open-folder-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

test("a folder stays the one that was opened, and a link in it is not followed (FE1, FE2)", () => {
  mkdirSync(join(base, "a/in"), { recursive: true });
  writeFileSync(join(base, "a/in/file"), "inside");
  symlinkSync(base, join(base, "a/link"));
  symlinkSync("in/file", join(base, "a/to-file"));
  const folder = new OpenFolder(join(base, "a"), join(base, "a"), false);
  renameSync(join(base, "a"), join(base, "moved"));
  const inner = folder.enter("in");
  const fd = inner.openFile("file")!;
  const bytes = Buffer.alloc(16);
  expect(bytes.toString("utf8", 0, readSync(fd, bytes))).toBe("inside");
  expect(() => folder.enter("link")).toThrow();
  expect(() => folder.openFile("to-file")).toThrow();
  for (const open of [fd, inner.fd, folder.fd]) closeSync(open);
});

test("the rules of the deepest folder that has one decide what is ignored", () => {
  const rules = new IgnoreRules().with("", "*.log\nout/\n").with("src", "!keep.log\n");
  const ignored = (path: string, isFolder = false): boolean => rules.ignores(path, isFolder);
  expect([
    ignored("a.log"),
    ignored("src/keep.log"),
    ignored("out", true),
    ignored("out"),
    ignored("src/a.ts"),
  ]).toEqual([...[true, false, true], ...[false, false]]);
});

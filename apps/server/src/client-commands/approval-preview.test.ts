import { expect, test } from "vitest";
import { detailBeside, type Preview, previewOf, previewText } from "./approval-preview.ts";

/** Marks what is painted, so that a test sees the look. */
const paint = (look: string, text: string): string => `<${look}>${text}</>`;
const plain = (_: string, text: string): string => text;

test("a command is printed token by token, each quoted, and safe for a terminal (F28)", () => {
  const command: Preview = {
    ...{ kind: "command", argv: ["sh", "-c", "ls | wc\u001b[2J"], shell: true, project: "app", cwd: "src" },
    ...{ network: true, sandbox: null, env: ["PATH", "HOME"], timeout: 120 },
  };
  expect(previewText(command, plain)).toBe(
    [
      '  runs  "sh"',
      '        "-c"',
      '        "ls | wc\ufffd[2J"',
      "  through a shell",
      "  in src of app, for at most 120 s",
      "  no sandbox, with network",
      "  variables passed on: PATH, HOME",
      "",
    ].join("\n"),
  );
  expect(previewText({ ...command, shell: false, network: false, sandbox: "bubblewrap", env: [] }, plain)).toMatch(
    /sandbox bubblewrap, no network\n$/,
  );
  expect(previewText({ ...command, cwd: ".", env: [], note: "Set auth.token." }, plain)).toMatch(
    /in app, for at most 120 s\n.*\n {2}Set auth\.token\.\n$/,
  );
  expect([detailBeside(command, "In app"), detailBeside({ kind: "none" }, "In app")]).toEqual(["", "In app"]);
});

test("a difference is printed in the looks of its lines, up to a bound, and says that its base changed", () => {
  const files = [{ path: "a.ts", additions: 2, deletions: 1 }];
  const diff: Preview = { kind: "diff", files, patch: "--- a\n+++ b\n-one\n+two\n same\n", changed_since: true };
  expect(previewText(diff, paint)).toBe(
    [
      "  <yellow>The file changed since the agent asked; this is what the call would do now.</>",
      "  a.ts +2 -1",
      "  <dim>--- a</>",
      "  <dim>+++ b</>",
      "  <red>-one</>",
      "  <green>+two</>",
      "   same",
      "",
    ].join("\n"),
  );
  expect(previewText({ ...diff, changed_since: false }, plain, 2)).toBe(
    "  a.ts +2 -1\n  --- a\n  +++ b\n  … 3 more lines\n",
  );
});

test("the other forms are a line or two, and nothing to see is nothing", () => {
  expect(previewText({ kind: "delete", path: "old.txt", bytes: 7, changed_since: false }, plain)).toBe(
    "  deletes old.txt (7 bytes)\n",
  );
  const folder: Preview = { kind: "register", path: "/srv/app", is_git: true, origin: "https://x/y", write: false };
  expect(previewText(folder, plain)).toBe("  /srv/app: a Git repository, cloned from https://x/y\n  read only\n");
  expect(previewText({ ...folder, is_git: false, origin: null, write: true }, plain)).toContain(
    "a folder\n  the agent may write there",
  );
  expect(previewText({ kind: "code", language: "javascript", code: "one\ntwo" }, plain, 1)).toBe(
    "  one\n  … 1 more lines\n",
  );
  expect(previewText({ kind: "none" }, plain)).toBe("");
});

test("a preview that cannot be read is none: the question is asked all the same", async () => {
  const api = { get: () => Promise.reject(new Error("gone")) };
  expect(await previewOf(api as unknown as Parameters<typeof previewOf>[0], "prompt_1")).toEqual({ kind: "none" });
});

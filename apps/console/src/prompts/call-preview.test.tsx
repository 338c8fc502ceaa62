import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CallPreview } from "./call-preview.tsx";
import type { Preview } from "./use-preview.ts";

/** What is read of it, one space between the texts. */
const textOf = (preview: Parameters<typeof CallPreview>[0]["preview"]): string =>
  renderToStaticMarkup(<CallPreview preview={preview} />)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const command: Extract<Preview, { readonly kind: "command" }> = {
  kind: "command",
  argv: ["npm", "test", "a b", ""],
  ...{ shell: false, project: "app", cwd: "src", network: false, sandbox: "bubblewrap" },
  ...{ env: ["PATH", "HOME"], timeout: 120 },
};

test("a command is shown token by token, with folder, sandbox, network, environment and time", () => {
  const markup = renderToStaticMarkup(<CallPreview preview={command} />);
  expect(markup.match(/<li/g)).toHaveLength(4);
  const text = textOf(command);
  expect(text).toBe(
    "npm test a b (empty) Folder src Project app Sandbox bubblewrap Network no Variables PATH, HOME Time limit 120 s",
  );
});

test("a shell, a network and no sandbox are said in words", () => {
  const text = textOf({ ...command, argv: ["ls | wc"], env: [], shell: true, network: true, sandbox: null });
  expect(text).toContain("It runs through a shell.");
  expect(text).toContain("Sandbox none: it can reach what the service can Network yes Variables none are passed on");
});

test("a command in the project's own folder says so, and what else there is to know", () => {
  const text = textOf({ ...command, cwd: ".", note: "It has no network: set auth.token." });
  expect(text).toMatch(/Folder the project.{1,6}s own Project app .* It has no network: set auth\.token\.$/);
});

test("a difference names its files and marks each line, and says that its base changed", () => {
  const files = [{ path: "a.ts", additions: 1, deletions: 1 }];
  const patch = "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-one\n+two\n same\n";
  const diff = { kind: "diff", files, patch, changed_since: false } as const;
  expect(textOf({ ...diff, files })).toBe("a.ts +1 −1 @@ -1,2 +1,2 @@ removed: -one added: +two same");
  expect(textOf({ ...diff, files, changed_since: true })).toContain("The file changed since the agent asked.");
});

test("a long difference is cut, and says by how much", () => {
  const patch = `@@ -0,0 +1,2002 @@\n${Array.from({ length: 2_002 }, (_, at) => `+${at}`).join("\n")}`;
  expect(textOf({ kind: "diff", files: [], patch, changed_since: false })).toMatch(/3 more lines are not shown$/);
});

test("a deletion, a folder that is registered and a script are shown as what they are", () => {
  expect(textOf({ kind: "delete", path: "old.txt", bytes: 12, changed_since: true })).toMatch(
    /changed since the agent asked.*Deletes old.txt \(12 B\)/,
  );
  const folder = { kind: "register", path: "/srv/app", is_git: true, origin: null, write: true } as const;
  expect(textOf(folder)).toBe("Folder /srv/app Git a repository without a remote Access read and write");
  expect(textOf({ kind: "code", language: "javascript", code: "return 1 < 2" })).toBe("javascript return 1 &lt; 2");
});

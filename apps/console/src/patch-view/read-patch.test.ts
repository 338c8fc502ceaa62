import { expect, test } from "vitest";
import { readPatch } from "./read-patch.ts";

const shown = (patch: string) => readPatch(patch).map(({ kind, number = "", text }) => `${kind} ${number} ${text}`);

test("lines have the number of the side they are on, and files their path once", () => {
  const patch = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -7,3 +7,4 @@ function a() {
 same
-old
+new
+more
 end
\\ No newline at end of file
diff --git a/b.ts b/b.ts
new file mode 100755
--- /dev/null
+++ b/b.ts
@@ -0,0 +1 @@
+one
`;
  expect(shown(patch)).toEqual([
    ...["file  a.ts", "hunk  @@ -7,3 +7,4 @@ function a() {", "same 7 same", "removed 8 old", "added 8 new"],
    ...["added 9 more", "same 10 end", "note  No newline at end of file"],
    "note  new file mode 100755",
    ...["file  b.ts", "hunk  @@ -0,0 +1 @@", "added 1 one"],
  ]);
});

test("what looks like a header inside of a hunk is a line of the file", () => {
  const patch = "--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+++ b/plus\n @@ -1 +1 @@\n";
  expect(shown(patch)).toEqual([
    ...["file  a.sql", "hunk  @@ -1,2 +1,2 @@", "removed 1 -- a comment", "added 1 ++ b/plus", "same 2 @@ -1 +1 @@"],
  ]);
});

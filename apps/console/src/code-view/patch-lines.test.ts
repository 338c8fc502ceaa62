import { expect, test } from "vitest";
import { patchesByPath, patchLines } from "./patch-lines.ts";

const changed = `diff --git a/src/a b.ts b/src/a b.ts
index 1..2 100644
--- a/src/a b.ts
+++ b/src/a b.ts
@@ -3,3 +3,3 @@ class A {
 same
-diff --git a/x b/x
+new\r
\\ No newline at end of file
`;

test("a patch is divided by files, renamed and quoted ones too", () => {
  const renamed = "diff --git a/old.ts b/new.ts\nsimilarity index 100%\nrename from old.ts\nrename to new.ts\n";
  const quoted = 'diff --git "a/a\\"b\\001\\t.ts" "b/a\\"b\\001\\t.ts"\nnew file mode 100644\n';
  const link = "diff --git a/l b/l\ndeleted file mode 100644\n";
  const parts = patchesByPath(`${changed}${renamed}${quoted}${link}${link}`);
  expect([...parts.keys()]).toEqual(["src/a b.ts", "new.ts", 'a"b\u0001\t.ts', "l"]);
  expect(parts.get("src/a b.ts")).toBe(changed);
  expect(parts.get("l")).toBe(link + link);
  expect([...patchesByPath("").keys()]).toEqual([]);
});

test("lines have their numbers before and after, and what looks like a header is a line", () => {
  expect(patchLines(changed)).toEqual([
    { kind: "hunk", before: undefined, after: undefined, text: "@@ -3,3 +3,3 @@ class A {" },
    { kind: "same", before: 3, after: 3, text: "same" },
    { kind: "removed", before: 4, after: undefined, text: "diff --git a/x b/x" },
    { kind: "added", before: undefined, after: 4, text: "new" },
    { kind: "note", before: undefined, after: undefined, text: "No newline at end of file" },
  ]);
});

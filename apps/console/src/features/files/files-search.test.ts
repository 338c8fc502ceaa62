import { expect, test } from "vitest";
import { folderOf, searchOf } from "./files-search.ts";

test("the address names project, folder, file and lines, of which some look like numbers", () => {
  expect(searchOf({ project: 7, in: "", path: "a/b.ts", lines: 12, other: "x" })).toEqual({
    ...{ project: "7", in: "", path: "a/b.ts", lines: "12" },
  });
  expect(searchOf({ path: "", lines: {} })).toEqual({});
  expect([folderOf("a/b/c.ts"), folderOf("c.ts"), folderOf("")]).toEqual(["a/b", "", ""]);
});

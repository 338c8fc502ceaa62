import { expect, test } from "vitest";
import { citationCheck } from "./citation-check.ts";

const specification = "| id | Requirement |\n|---|---|\n| A4 | Codes. |\n| EN1 | Committed first. |\n";

/** Concatenated, because this file is checked too. */
const RULING = ["rul", "ing"].join("");
const DOCUMENT = ["Docu", "ment"].join("");

function problems(files: Readonly<Record<string, string>>): string[] {
  const texts = Object.entries({ "docs/specification/a2a.md": specification, ...files });
  return citationCheck(texts).map(({ file, line, message }) => `${file}:${line ?? "-"} ${message}`);
}

test("an id without a row is found in a document", () => {
  expect(problems({ "docs/a.md": `Known: A4, EN1, V8.\nAs ${"E"}3 says, R10-3.1-2 and [2001:DB8::1].` })).toEqual([
    "docs/a.md:2 cites E3, which has no row in docs/specification",
  ]);
});

test.each([
  ["a comment", "a.ts", `/** ${DOCUMENT} 1, limits. */`],
  ["a title", "a.test.ts", `test("says so (${RULING} A4)", () => {});`],
  ["a document", "docs/a.md", `As ${DOCUMENT} 3 says.`],
  ["a page of the design", "a.ts", `// see ${"engine"}.md, section 3`],
])("a reference that cannot be opened is found in %s", (_what, file, text) => {
  expect(problems({ [file]: text })).toEqual([`${file}:1 cites a text that is not in the repository`]);
});

test("other identifiers of code are left alone", () => {
  expect(problems({ "a.ts": `const ${RULING} = document; // A4` })).toEqual([]);
});

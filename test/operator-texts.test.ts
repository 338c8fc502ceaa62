/** What the operator API says to people: summaries are phrases, refusals and their descriptions are sentences. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url).pathname;
const SOURCES = [
  "packages/operator-api/src/**/*.ts",
  "apps/server/src/features/**/*.ts",
  "apps/server/src/surfaces/operator/*.ts",
];
const SUMMARY = /\bsummary: "([^"]+)"/g;
const REFUSAL = /new Problem\(\s*\d{3},\s*(?:"([^"]+)"|`([^`]+)`)|\b[45]\d\d: (?:\{ description: )?"([^"]+)"/g;
const PHRASE = /^[A-Z].*[^.]$/;
/** One that begins with a name, or ends with another's text, is as that is. */
const SENTENCE = /^(?:[A-Z`]|\$\{).*(?:[.?]|\})$/s;
/** Words that say a thing in our own way where the field has a word, or none at all. */
const OURS = /\b(?:are|is|was|were) told\b|\b(?:says?|ships?) (?:something|with)\b|\bas memory has it\b/;

function textsOf(pattern: RegExp): readonly { readonly at: string; readonly text: string }[] {
  return globSync(SOURCES, { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [...readFileSync(`${root}${file}`, "utf8").matchAll(pattern)].map(([, ...found]) => {
        return { at: file, text: found.find((one) => one !== undefined) ?? "" };
      }),
    );
}

test("the summary of every operation is a phrase, in the field's words", () => {
  const summaries = textsOf(SUMMARY);
  expect(summaries.length).toBeGreaterThan(80);
  expect(summaries.filter(({ text }) => !PHRASE.test(text) || OURS.test(text))).toEqual([]);
});

test("every refusal and its description is a sentence, in the field's words", () => {
  const refusals = textsOf(REFUSAL);
  expect(refusals.length).toBeGreaterThan(80);
  expect(refusals.filter(({ text }) => !SENTENCE.test(text) || OURS.test(text))).toEqual([]);
});

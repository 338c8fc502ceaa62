/** What holds the look of the console together, read from its sources. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const source = new URL("../../apps/console/src/", import.meta.url).pathname;
const files = globSync("**/*.{ts,tsx}", { cwd: source })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(`${source}${file}`, "utf8") }));
const filesWith = (pattern: RegExp): readonly string[] =>
  files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test("icons are of one family; nothing else is drawn but the mark, the figure, the drawings of empty states, and charts", () => {
  expect(filesWith(/from "[^"]*(icons?|hero|phosphor|tabler)[^"]*"/i)).toEqual([]);
  expect(filesWith(/<svg\b/).toSorted()).toEqual(["identity/agent-figure.tsx", "identity/mark.tsx", "ui/drawing.tsx"]);
});

test("headings of pages and of their parts are in the display face", () => {
  expect(filesWith(/<h[1-3] [^>]*\btext-(lg|xl|2xl|3xl)\b(?<!\bfont-display\b[^>]*)(?![^>]*\bfont-display\b)/)).toEqual(
    [],
  );
});

test("what moves takes 120 ms, and no time where less motion is asked for", () => {
  const durations = files.flatMap(({ text }) => [...text.matchAll(/\bduration-\[?(\d+)/g)].map(([, ms]) => ms));
  expect(new Set(durations)).toEqual(new Set(["120"]));
  const tokens = readFileSync(`${source}ui/tokens.css`, "utf8");
  expect(tokens).toMatch(
    /prefers-reduced-motion: reduce[\s\S]*animation-duration: 0\.01ms[\s\S]*transition-duration: 0s/,
  );
  for (const [, ms] of tokens.matchAll(/--animate-[a-z]+: [a-z]+ (\d+)ms/g)) expect(ms).toBe("120");
});

test("times are written in one place, in the language and the zone of the person's browser", () => {
  expect(filesWith(/DateTimeFormat|toLocale(Date|Time)?String\(/)).toEqual(["ui/format.ts"]);
  const format = readFileSync(`${source}ui/format.ts`, "utf8");
  const locales = [...format.matchAll(/DateTimeFormat\(([^,)]*)/g)].map(([, locale]) => locale);
  expect(new Set(locales)).toEqual(new Set(["undefined"]));
  expect(format).not.toMatch(/timeZone:|hour12|hourCycle|toLocale/);
  // An ISO time is for attributes and addresses; cut for people, it is of another zone.
  expect(filesWith(/toISOString\(\)\s*\.\s*(slice|substring|split|replace)/)).toEqual([]);
});

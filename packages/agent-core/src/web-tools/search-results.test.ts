import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint, webUrl } from "../../../../test/values/text.ts";
import { boundedResults, RESULT_LIMITS } from "./search-results.ts";

const entry = (url: string, title = "T", snippet = "S") => ({ title, url, snippet });

test("keeps the order, each address once, and only what leads to the web", () => {
  const entries = [
    entry("https://a.test/"),
    entry("HTTPS://A.test"),
    ...[
      "javascript:alert(1)",
      "ftp://a.test/",
      "/relative",
      "",
      "https://user:secret@a.test/",
      "file:///etc/passwd",
    ].map((url) => entry(url)),
    entry(`https://long.test/${"x".repeat(RESULT_LIMITS.url)}`),
    entry("http://b.test/#part"),
  ];
  expect(boundedResults(entries, 10).map(({ url }) => url)).toEqual(["https://a.test/", "http://b.test/#part"]);
  expect(boundedResults(entries, 1).length).toBe(1);
  expect(boundedResults([], 5)).toEqual([]);
});

test("makes single lines of titles and snippets and cuts them, never inside a character", () => {
  const [result] = boundedResults([entry("https://a.test/", " two\n\tlines\u0000 ", "😀".repeat(400))], 1);
  expect(result?.title).toBe("two lines");
  expect(result?.snippet).toBe(`${"😀".repeat(249)}…`);
  expect(boundedResults([entry("https://a.test/", "\u202eevil\ud800", "")], 1)[0]?.title).toBe("evil");
  expect(boundedResults([entry("https://a.test/", " \n", "")], 1)[0]?.title).toBe("https://a.test/");
});

test("property: whatever was found, results are bounded, well formed and at most as many as wanted", () => {
  const text = fc.oneof(fc.string({ unit: codePoint, maxLength: 3_000 }), webUrl);
  fc.assert(
    fc.property(
      fc.array(fc.record({ title: text, url: text, snippet: text })),
      fc.integer({ min: 1, max: 10 }),
      (entries, count) => {
        const results = boundedResults(entries, count);
        expect(results.length).toBeLessThanOrEqual(count);
        for (const result of results) {
          expect(result.url).toMatch(/^https?:\/\//);
          for (const key of ["title", "url", "snippet"] as const) {
            expect(result[key].isWellFormed() && !/[\p{Cc}]/u.test(result[key])).toBe(true);
            expect(result[key].length).toBeLessThanOrEqual(RESULT_LIMITS[key]);
          }
        }
      },
    ),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { readDuckDuckGoPage } from "./duckduckgo-page.ts";

/** A result in the form of that page, written by hand. */
const result = (href: string, title: string, snippet: string, kind = "web-result"): string =>
  `<div class="result results_links ${kind} "><div class="result__body">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
  <div class="result__extras"><a href="${href}"><img src="//icons.test/x.ico"></a></div>
  <a class="result__snippet" href="${href}">${snippet}</a></div></div>`;

const page = (body: string): string =>
  `<!DOCTYPE html><html><head><title>ships at DuckDuckGo</title></head><body><div id="links" class="results">${body}</div></body></html>`;

test("gives title, address and snippet of each result, in order", () => {
  const html = page(
    result("https://harbour.test/a?x=1&amp;y=2", "The <b>Harbour</b> &amp; ships", "Where <b>ships</b> rest.") +
      result("http://log.test/", "Log", ""),
  );
  expect(readDuckDuckGoPage(html)).toEqual({
    kind: "entries",
    entries: [
      { title: "The Harbour & ships", url: "https://harbour.test/a?x=1&y=2", snippet: "Where ships rest." },
      { title: "Log", url: "http://log.test/", snippet: "" },
    ],
  });
});

test("looks through the provider's own redirects and leaves out advertisements", () => {
  const html = page(
    result("//duckduckgo.com/l/?uddg=https%3A%2F%2Fwrapped.test%2Fp%3Fq%3D1&rut=0a", "Wrapped", "w") +
      result("//duckduckgo.com/l/?rut=0a", "Nowhere", "n") +
      result("https://duckduckgo.com/y.js?ad_domain=shop.test", "Sold", "s") +
      result("https://shop.test/", "Sold too", "s", "result--ad") +
      result("//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js", "Sold as well", "s") +
      result("https://duckduckgo.com/about", "Its own page", "p") +
      result("https://duckduckgo.com.example.test/", "A namesake", "o"),
  );
  const found = readDuckDuckGoPage(html);
  expect(found.kind === "entries" && found.entries.map(({ url }) => url)).toEqual([
    "https://wrapped.test/p?q=1",
    "https://duckduckgo.com/about",
    "https://duckduckgo.com.example.test/",
  ]);
});

test("distinguishes an empty list, a captcha and any other page", () => {
  expect(readDuckDuckGoPage(page('<div class="no-results">No results.</div>'))).toEqual({
    kind: "entries",
    entries: [],
  });
  const challenge = '<form id="challenge-form"><div class="anomaly-modal__title">Select all ducks</div></form>';
  expect(readDuckDuckGoPage(page(challenge))).toEqual({ kind: "challenge" });
  for (const other of ["", "<h1>It works!</h1>", '{"results": []}', "<html>", "\0\0"]) {
    expect(readDuckDuckGoPage(other)).toEqual({ kind: "unknown" });
  }
});

test("reads what is left of damaged markup", () => {
  const whole = page(result("https://kept.test/", "Kept", "k") + result("https://lost.test/", "Lost", "l"));
  const cut = readDuckDuckGoPage(whole.slice(0, whole.indexOf("lost.test")));
  expect(cut.kind === "entries" && cut.entries.map(({ url }) => url)).toContain("https://kept.test/");
  const unclosed = '<div class="result"><a class="result__a" href="https://open.test/">Open<div class="result">';
  expect(readDuckDuckGoPage(unclosed)).toMatchObject({ kind: "entries", entries: [{ url: "https://open.test/" }] });
  expect(readDuckDuckGoPage('<div class="result"><a class="result__a" href="http://[">x</a>')).toEqual({
    kind: "unknown",
  });
});

test("reads fifty results and no more", () => {
  const found = readDuckDuckGoPage(page(result("https://many.test/", "Many", "m").repeat(80)));
  expect(found.kind === "entries" && found.entries.length).toBe(50);
});

test("property: any markup gives an answer, and no entry is an advertisement", () => {
  const pieces = fc.constantFrom(
    ...['<div class="result">', "</div>", '<a class="result__a" href="', '">', "</a>", "//duckduckgo.com/l/?uddg="],
    ...["https://duckduckgo.com/y.js", "https://site.test/", "%zz", "&#x", "<!--", "<script>", "]]>", '<a class="'],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }), (parts) => {
      const found = readDuckDuckGoPage(parts.join(""));
      const urls = found.kind === "entries" ? found.entries.map(({ url }) => url) : [];
      expect(urls.filter((url) => /^\w+:\/\/([^/]*\.)?duckduckgo\.com\/(y\.js|l\/)/.test(url))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { markupToText } from "./markup-to-text.ts";

test.each([
  ["The <strong>harbour</strong> &amp; the sea", "The harbour & the sea"],
  ["it&#x27;s &quot;open&quot; &#39;now&#39;", `it's "open" 'now'`],
  ["1 &lt; 2 and 3 > 2", "1 < 2 and 3 > 2"],
  ["&amp;lt; is read once", "&lt; is read once"],
  ["a < b, x<y", "a < b, x<y"],
  ["&unknown; &#xffffffff; &#1114112; & alone", "&unknown; &#xffffffff; &#1114112; & alone"],
  ["&constructor; &toString;", "&constructor; &toString;"],
  ['<a href="x">link</a> cut <stro', "link cut <stro"],
])("%j is %j", (markup, text) => expect(markupToText(markup)).toBe(text));

test("looks at ten thousand characters, in time in proportion to them", () => {
  expect(markupToText("<".repeat(5_000_000)).length).toBe(10_000);
});

test("property: text without markup stays", () => {
  const plain = fc.string().filter((text) => !/[<&]/.test(text));
  fc.assert(
    fc.property(plain, (text) => {
      expect(markupToText(text)).toBe(text);
    }),
  );
});

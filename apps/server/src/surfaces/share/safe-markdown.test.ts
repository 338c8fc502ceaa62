import { expect, it } from "vitest";
import { escaped, markdownHtml, safeMarkdown } from "./safe-markdown.ts";

/** The tags and attributes that may be in a page. */
const TAG =
  /^<\/?(?:p|h[1-6]|a|em|strong|del|code|pre|blockquote|ul|ol|li|hr|br|table|thead|tbody|tr|th|td|input)(?: (?:class|start|align|type|disabled|checked|title)="[^"<>]*"| href="(?:(?:https?|mailto):[^"<>\s]*|[^":<>\s]*)")* ?\/?>$/;

const ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "text <svg/onload=alert(1)> text",
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt&colon;alert(1))",
  "[a](&#106;avascript:alert(1))",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  "[a](vbscript:x)",
  "<javascript:alert(1)>",
  '[a](https://e.example/"onmouseover="alert(1))',
  '[a](https://e.example "\\" onmouseover=\\"alert(1)")',
  "![a](https://e.example/pixel.png)",
  "![a][ref]\n\n[ref]: https://e.example/pixel.png",
  "```html onload=x\n</code></pre><script>alert(1)</script>\n```",
  '```"><script>alert(1)</script>\ncode\n```',
  "| <b>a</b> |\n|---|\n| <iframe src=x> |",
  "<style>*{display:none}</style>",
  "<!--\n--><base href=//e.example>",
  "a[^1]\n\n[^1]: <form action=//e.example>",
  "- [x] <input autofocus onfocus=alert(1)>",
];

it.each(ATTACKS)("turns %j into safe elements only", async (text) => {
  for (const tag of (await safeMarkdown(text)).match(/<[^>]*>?/g) ?? []) expect(tag).toMatch(TAG);
});

it("renders what answers are made of", async () => {
  const html = await safeMarkdown(
    "# One\n\n**two** and `three`\n\n```ts\nif (a < b) c();\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |",
  );
  expect(html).toContain("<h1>One</h1>");
  expect(html).toContain('<pre><code class="language-ts">if (a &lt; b) c();');
  expect(html).toContain('<td align="right">2</td>');
});

it.each([
  ["brackets in a row", "[".repeat(8_000)],
  ["nested quotes", "> ".repeat(4_000)],
  ["nested lists", "1. ".repeat(2_500)],
  ["stars", "*a ".repeat(2_500)],
  ["open links", "[a](".repeat(2_000)],
  ["addresses", "a@b.c ".repeat(1_300)],
  ["backticks", "`a".repeat(4_000)],
  ["headings in every line", "a\n-\n".repeat(1_000)],
  ["a piece of any size", "word ".repeat(100_000)],
])("shows %s as they are: reading them would hold the service up", async (_, text) => {
  expect(await safeMarkdown(text)).toBe(`<p class="plain">${escaped(text)}</p>`);
});

it("reads a long text in pieces that divide no block of code", async () => {
  const part = `para **graph**\n\n\`\`\`\ncode\n\n${"line\n\n".repeat(200)}\`\`\`\n\n`;
  const html = await markdownHtml(part.repeat(10));
  expect(html.match(/<strong>graph<\/strong>/g)).toHaveLength(10);
  expect(html.match(/<pre><code>code\n/g)).toHaveLength(10);
  expect(html).not.toContain("plain");
});

it("escapes everything that ends a text or an attribute", () => {
  expect(escaped(`<a href="x" title='y'>&`)).toBe("&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;");
});

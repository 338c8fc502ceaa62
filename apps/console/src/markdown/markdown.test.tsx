import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { codeIn } from "./code/code-in.ts";
import { createColouring } from "./code/colour-code.ts";
import type { ColourAnswer } from "./code/colour-message.ts";
import { createHighlighting } from "./code/highlight.ts";
import { languageNamed } from "./code/language-names.ts";
import RenderedMarkdown from "./rendered-markdown.tsx";

const drawn = (text: string, growing = false): string =>
  renderToStaticMarkup(<RenderedMarkdown text={text} growing={growing} />);

test("what a model writes runs nothing and loads nothing from elsewhere", () => {
  const html = drawn(
    '<script>alert(1)</script>\n\n<b onclick="alert(1)">bold</b>\n\n![a chart](https://evil.example/p.png) [go](javascript:alert(1)) [there](https://a.example/)',
  );
  expect(html).not.toMatch(/<script|<img|onclick|javascript:/);
  expect(html).toContain('<a href="https://evil.example/p.png" target="_blank" rel="noreferrer">a chart</a>');
  expect(html).toContain('href="https://a.example/"');
});

test("headings stand below those of the page, and code can be copied", () => {
  const html = drawn("# Title\n\nSee `x`.\n\n```ts\nconst a = 1 < 2;\n```\n");
  expect(html).toContain('<h3 data-level="1">Title</h3>');
  expect(html).toContain("<code>x</code>");
  expect(html).toContain('aria-label="Copy code"');
  expect(html).toContain("const a = 1 &lt; 2;");
});

test("what is open at the end of a growing text is closed for the eye", () => {
  expect(drawn("This is **bold", true)).toContain("<strong>bold</strong>");
  expect(drawn("```py\nprint(1", true)).toContain("print(1");
});

test("only a growing text leaves out of the layout what is out of sight: a whole one has its true height", () => {
  expect(drawn("# Title\n\nText", true)).toMatch(/^<div class="[^"]*markdown-growing/);
  expect(drawn("# Title\n\nText")).not.toContain("markdown-growing");
});

test("code is not coloured before it is whole: of the fences of a growing text, the open one waits", () => {
  const waits = (text: string, growing: boolean): readonly string[] =>
    [...drawn(text, growing).matchAll(/aria-busy="(\w+)"/g)].map(([, is = ""]) => is);
  expect(waits("```py\nprint(1)\n```\n\nThen\n\n```py\nprint(2", true)).toEqual(["false", "true"]);
  expect(waits("```py\nprint(1)\n```\n", true)).toEqual(["false"]);
  expect(waits("```py\nprint(1", false)).toEqual(["false"]);
});

test("code is coloured by names of tokens; an unknown language is left as it is", async () => {
  const colour = createColouring();
  const [line] = (await colour("const a = 1;", "ts")) ?? [];
  expect(line?.map(({ content }) => content).join("")).toBe("const a = 1;");
  expect(line?.[0]).toEqual({ content: "const", color: "var(--code-token-keyword)" });
  expect(await colour("x", "brainfuck")).toBeUndefined();
  expect(languageNamed("YML")).toBe("yaml");
});

test("each request gets its own result of the worker, also out of order; a failure rejects all that wait", async () => {
  const worker = new EventTarget();
  const asked: { readonly id: number; readonly code: string }[] = [];
  let started = 0;
  const highlight = createHighlighting(() => {
    started++;
    return Object.assign(worker, { postMessage: (one: (typeof asked)[number]) => void asked.push(one) });
  });
  const answers = ["a", "b"].map((code) => highlight(code, "ts"));
  for (const { id, code } of asked.toReversed()) {
    const data: ColourAnswer = { id, lines: [[{ content: code, color: undefined }]] };
    worker.dispatchEvent(new MessageEvent("message", { data }));
  }
  const contents = (await Promise.all(answers)).map((lines) => lines?.[0]?.[0]?.content);
  expect(contents).toEqual(["a", "b"]);
  const lost = highlight("c", "ts");
  worker.dispatchEvent(new Event("error"));
  await expect(lost).rejects.toThrow("could not be coloured");
  expect(started).toBe(1);
  highlight("d", "ts").catch(() => {});
  expect(started).toBe(2);
});

test("the code of a fence is found with its language", () => {
  const text = { type: "text", value: "a\nb\n" };
  const code = { type: "element", properties: { className: ["language-js"] }, children: [text] };
  expect(codeIn({ type: "element", children: [code] })).toEqual({ code: "a\nb", language: "js" });
  expect(codeIn(undefined)).toEqual({ code: "", language: "" });
});

import { expect, test } from "vitest";
import { NO_DRAFT } from "./drafts.ts";
import { withQuote } from "./quote.ts";

test("a quotation comes behind what is written, line by line, with room below", () => {
  const first = withQuote(NO_DRAFT, " One.\n\nTwo. ");
  expect(first.text).toBe("> One.\n>\n> Two.\n\n");
  expect(withQuote({ ...first, text: `${first.text}Why?` }, "Three").text).toBe(
    "> One.\n>\n> Two.\n\nWhy?\n\n> Three\n\n",
  );
});

test("a long quotation is cut, at whole signs", () => {
  const { text } = withQuote(NO_DRAFT, `a${"𝒙".repeat(4_000)}`);
  expect(text.length).toBeLessThan(4_020);
  expect(text).toMatch(/^> a(?:𝒙)+…\n\n$/u);
});

import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import DrawnFormula from "./drawn-formula.tsx";
import { withDoubleDollars } from "./maths-in.ts";

const drawn = (tex: string): string => renderToStaticMarkup(<DrawnFormula tex={tex} display />);

test("formulas are found however a model writes them, and money and code are left alone", () => {
  expect(withDoubleDollars("so \\(a+b\\) is $x^2$")).toBe("so $$a+b$$ is $$x^2$$");
  expect(withDoubleDollars("\\[ \\frac12 \\]")).toBe("\n$$\n\\frac12\n$$\n");
  for (const text of [
    "It costs $5 and $10, or $5-$10.",
    "| Local | $25 | fast |\n| Cloud | $230 | fair |",
    "`$a$` and\n\n```sh\necho $HOME $PATH$\n\\(x\\)\n```",
    "```sh\nopen $a$",
    "$$\nx^2\n$$",
  ]) {
    expect(withDoubleDollars(text)).toBe(text);
  }
});

test("a formula is MathML, without markup, links or addresses of its own", () => {
  expect(drawn("\\frac{a}{b}")).toContain("<mfrac><mi>a</mi><mi>b</mi></mfrac>");
  const hostile = drawn("\\text{<img src=x onerror=alert(1)>} + x");
  expect(hostile).toContain("&lt;img");
  expect(drawn("\\href{javascript:alert(1)}{x}")).not.toContain("href=");
});

test("what cannot be read as a formula stays its source", () => {
  expect(drawn("\\frac{a")).toContain("<code>\\frac{a</code>");
  expect(drawn("\\def\\a{\\a\\a}\\a")).toContain("<code>");
});

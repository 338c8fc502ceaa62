import { expect, test } from "vitest";
import { saidText } from "./said-text.ts";

test("an answer is shown without the name of its prompt; everything else as it was said", () => {
  expect(saidText('{"promptId":"p","answer":"Monday"}')).toBe("Monday");
  expect(saidText('{"promptId":"p","decision":"decline","note":"too much"}')).toBe("Declined\ntoo much");
  expect(saidText('{"promptId":"p","answer":{"day":1}}')).toBe('{\n  "day": 1\n}');
  for (const text of ["hello", '{"a":1}', "{broken", '{"promptId":"p"}', "{}"]) expect(saidText(text)).toBe(text);
});

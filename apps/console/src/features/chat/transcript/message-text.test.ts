import { expect, test } from "vitest";
import { messageText } from "./message-text.ts";

test("an answer is shown without the id of its prompt, and any other text unchanged", () => {
  expect(messageText('{"promptId":"p","answer":"Monday"}')).toBe("Monday");
  expect(messageText('{"promptId":"p","decision":"decline","note":"too much"}')).toBe("Declined\ntoo much");
  expect(messageText('{"promptId":"p","answer":{"day":1}}')).toBe('{\n  "day": 1\n}');
  for (const text of ["hello", '{"a":1}', "{broken", '{"promptId":"p"}', "{}"]) expect(messageText(text)).toBe(text);
});

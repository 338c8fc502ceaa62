import { expect, test } from "vitest";
import { linkFrom } from "./use-share.ts";

const LINK = "A".repeat(43);

test.each([
  [
    "by https, which the service does not know",
    "http://agent.example",
    "https://agent.example",
    "https://agent.example",
  ],
  [
    "below a prefix of a proxy",
    "http://hub.example",
    "https://hub.example/agents/one",
    "https://hub.example/agents/one",
  ],
  [
    "by another name than the public one",
    "https://agent.example/base",
    "http://127.0.0.1:7870",
    "https://agent.example/base",
  ],
])("a link leads where others reach the service, for a browser that reaches it %s", (_, given, base, expected) => {
  expect(linkFrom(`${given}/share/${LINK}`, base)).toBe(`${expected}/share/${LINK}`);
});

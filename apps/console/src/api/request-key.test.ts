import { expect, test } from "vitest";
import { requestKey } from "./request-key.ts";

test("keys of requests are 32 hex characters, each another one", () => {
  const keys = Array.from({ length: 100 }, requestKey);
  expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true);
  expect(new Set(keys).size).toBe(100);
});

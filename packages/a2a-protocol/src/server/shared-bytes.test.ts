import { expect, it } from "vitest";
import { createSharedBytes } from "./shared-bytes.ts";

it("makes the bytes of a text once while it is among the last mebibyte, and forgets older ones", () => {
  const shared = createSharedBytes();
  const text = (i: number): string => `${i}${"é".repeat(100_000)}`;
  const first = shared.bytes(text(0));
  expect(new TextDecoder().decode(first)).toBe(text(0));
  expect(shared.bytes(text(0))).toBe(first);
  for (let i = 1; i < 7; i++) shared.bytes(text(i));
  const newest = shared.bytes(text(6));
  shared.bytes("another");
  expect(shared.bytes(text(6))).toBe(newest);
  expect(shared.bytes(text(0))).not.toBe(first);
});

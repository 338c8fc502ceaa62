import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./index.ts";

/** The same value with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe("canonicalJson", () => {
  it("sorts keys at every level and keeps the order of arrays", () => {
    expect(canonicalJson({ b: [2, 1, { z: null, y: "é" }], a: true })).toBe('{"a":true,"b":[2,1,{"y":"é","z":null}]}');
  });

  it("is the same text for the same value whatever the order of its keys, and parses back to it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

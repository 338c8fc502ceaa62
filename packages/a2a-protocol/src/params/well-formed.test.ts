import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import { wellFormed } from "./index.ts";

describe("texts that UTF-8 can hold", () => {
  it("have U+FFFD for every lone surrogate, at any depth, and are else as they were", () => {
    expect(wellFormed("a\ud800b\ud83d\ude00")).toBe("a\ufffdb\ud83d\ude00");
    const data = { a: ["x\udfff", { b: "\ud800", c: "fine", d: 7, e: null }] };
    expect(wellFormed(data)).toEqual({ a: ["x\ufffd", { b: "\ufffd", c: "fine", d: 7, e: null }] });
  });

  it("survive being written as UTF-8, whatever the value", () => {
    const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: codePoint }), text, (value, more) => {
        const written = wellFormed({ value, more });
        expect(written.more).toBe(Buffer.from(more).toString());
        expect(written.value).toEqual(value);
      }),
    );
  });
});

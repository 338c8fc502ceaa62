import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CapturedOutput } from "./index.ts";

describe("captured output (PR4)", () => {
  it("holds all of a short output and says so", () => {
    const output = new CapturedOutput(10);
    output.add(Buffer.from("hello "));
    output.add(Buffer.from("world"));
    expect([output.bytes, output.whole, output.text(100)]).toEqual([11, true, "hello world"]);
  });

  it("holds the beginning and the end of a long one, and says what is missing", () => {
    const output = new CapturedOutput(4);
    for (const piece of ["aaaa", "bbbbbbbb", "cc", "dd"]) output.add(Buffer.from(piece));
    expect([output.bytes, output.whole]).toEqual([16, false]);
    expect(output.text(8)).toBe("aaaa\n[… 8 bytes left out …]\nccdd");
  });

  it("property: the beginning and the end are those of the whole, in any pieces, within the bound", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.integer({ min: 1, max: 30 }), (pieces, kept) => {
        const output = new CapturedOutput(kept);
        for (const piece of pieces) output.add(Buffer.from(piece));
        const all = Buffer.concat(pieces);
        expect(output.bytes).toBe(all.length);
        expect(output.whole).toBe(all.length <= 2 * kept);
        if (output.whole) expect(output.head().equals(all)).toBe(true);
        else {
          expect(output.head().equals(all.subarray(0, kept))).toBe(true);
          expect(output.tail().equals(all.subarray(-kept))).toBe(true);
        }
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import { JSON_LIMITS, parseJson } from "./index.ts";

describe("parseJson", () => {
  it("gives the value of every JSON text, as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        const parsed = parseJson(text);
        if (text.includes("__proto__")) return;
        expect(parsed).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: codePoint, maxLength: 40 })), (text) => {
        expect(typeof parseJson(text).ok).toBe("boolean");
      }),
    );
  });

  it("accepts 64 levels and refuses 65 (S7)", () => {
    expect(parseJson("[".repeat(64) + "]".repeat(64)).ok).toBe(true);
    expect(parseJson("[".repeat(65) + "]".repeat(65))).toMatchObject({ ok: false, code: "json.too-deep" });
  });

  it("refuses a depth bomb without running out of stack", () => {
    expect(parseJson('{"a":'.repeat(200_000))).toMatchObject({ ok: false, code: "json.too-deep" });
  });

  it("refuses more values than can be parsed while others wait, and takes as many as that", () => {
    const many = (count: number): string => `[${"{},".repeat(count)}0]`;
    // One for the whole, one for each member of the list, and one for each empty object.
    expect(parseJson(many(49_999)).ok).toBe(true);
    expect(parseJson(many(50_000))).toMatchObject({ ok: false, code: "json.too-many" });
    expect(parseJson(JSON.stringify(",[{".repeat(100_000))).ok).toBe(true);
  });

  it("does not count brackets inside strings", () => {
    expect(parseJson(JSON.stringify({ text: `${"[{".repeat(100)}\\"` })).ok).toBe(true);
  });

  it("refuses a text over the length limit and reports its length", () => {
    const parsed = parseJson(JSON.stringify("x".repeat(50)), { ...JSON_LIMITS, maxLength: 20 });
    expect(parsed).toEqual({
      ok: false,
      code: "json.too-long",
      message: "the JSON is 52 characters long; at most 20 are accepted",
    });
  });

  it("refuses __proto__ as a key in any spelling and depth, and accepts it as a text", () => {
    expect(parseJson('{"__proto__":{"admin":true}}')).toMatchObject({ code: "json.forbidden-key" });
    expect(parseJson('[{"a":{"\\u005f_proto__":1}}]')).toMatchObject({ code: "json.forbidden-key" });
    expect(parseJson('{"a":"__proto__"}')).toEqual({ ok: true, value: { a: "__proto__" } });
  });
});

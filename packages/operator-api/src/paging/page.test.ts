import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { cursorOf, flagQuery, integerQuery, pageQuery } from "./index.ts";

const position = v.tuple([v.number(), v.string()]);
const query = pageQuery(position, { defaultLimit: 10, maxLimit: 100 });

describe("a page's query (O5)", () => {
  it("has a limit, clamped into its bounds", () => {
    const limits = ["", "?", "0", "7", "1000", "-3"].map((limit) => (limit === "" ? {} : { limit }));
    const read = limits.map((sent) => v.safeParse(query, sent)).map((result) => result.success && result.output.limit);
    expect(read).toEqual([10, false, 1, 7, 100, 1]);
  });

  it("brings back the position that a cursor was made of", () => {
    fc.assert(
      fc.property(fc.tuple(fc.integer(), fc.string({ unit: "grapheme", maxLength: 100 })), (at) => {
        expect(v.parse(query, { cursor: cursorOf(at) }).cursor).toEqual(at);
      }),
    );
  });

  it("refuses whatever is no cursor of its list", () => {
    fc.assert(
      fc.property(fc.string(), (cursor) => {
        expect(v.is(query, { cursor })).toBe(false);
      }),
    );
    expect(v.is(query, { cursor: cursorOf(["other", "list"]) })).toBe(false);
    expect(v.is(query, { cursor: cursorOf([1, "x".repeat(2000)]) })).toBe(false);
  });

  it("has no cursor at the end", () => expect([cursorOf(undefined), cursorOf(null)]).toEqual([null, null]));
});

it("reads switches and whole numbers", () => {
  const flags = v.object({
    on: flagQuery("d"),
    n: integerQuery({ minimum: 0, maximum: 5, fallback: 2, description: "d" }),
  });
  expect(v.parse(flags, {})).toEqual({ on: false, n: 2 });
  expect(v.parse(flags, { on: "", n: "9" })).toEqual({ on: true, n: 5 });
  expect([v.is(flags, { on: "maybe" }), v.is(flags, { n: "1.5" })]).toEqual([false, false]);
});

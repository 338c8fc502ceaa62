import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { cursorIn, historyLength, name, names, readParams, required } from "./index.ts";

const schema = v.object({ id: required, name, names, historyLength });
const read = (params: unknown) => () => readParams(schema, params);

describe("params", () => {
  it("take null for what is left out, and are refused by the first field that does not fit (A4)", () => {
    expect(read({ id: "a", name: null, names: null, historyLength: null })()).toMatchObject({ id: "a" });
    expect(read({ id: "" })).toThrow(/^params\.id: /);
    expect(read({ id: "a", names: ["b", 1] })).toThrow(/^params\.names\.1: /);
    expect(read({ id: "a", historyLength: -1 })).toThrow(/^params\.historyLength: /);
    expect(read(undefined)).toThrow(/^params: /);
  });

  it("hold no name that a store or a header could not carry", () => {
    for (const id of ["a\nb", "a\u0000", "\ud800", "x".repeat(1025)]) {
      expect(read({ id })).toThrow(expect.objectContaining({ code: -32602 }));
    }
    expect(read({ id: "x".repeat(1024) })().id).toHaveLength(1024);
  });

  it("may hold a cursor in their metadata (A20)", () => {
    expect([cursorIn(undefined), cursorIn(null), cursorIn({ after: null }), cursorIn({ after: 3 })]).toEqual([
      undefined,
      undefined,
      undefined,
      3,
    ]);
    for (const after of [-1, 1.5, "3"]) expect(() => cursorIn({ after })).toThrow(/^params\.metadata\.after: /);
  });
});

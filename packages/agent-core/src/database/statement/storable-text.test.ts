import fc from "fast-check";
import { expect, test } from "vitest";
import { isStorable, storableJson, storableText, unstorablePath } from "./storable-text.ts";

test("a text that a store cannot hold is made one that it can, and no other is touched", () => {
  expect(storableText("a\0b\ud800c\udc00")).toBe("a\ufffdb\ufffdc\ufffd");
  expect(storableText("ä 💩 \u0001\n")).toBe("ä 💩 \u0001\n");
  expect(["", "💩", "a\0", "\ud83d", "\udca9\ud83d"].map(isStorable)).toEqual([true, true, false, false, false]);
});

test("a JSON text loses escaped halves of surrogate pairs, and nothing else", () => {
  const of = (value: unknown): unknown => JSON.parse(storableJson(JSON.stringify(value)));
  expect(of({ a: "x\ud800y", b: ["\udc00", "\\ud800", "\u0000"] })).toEqual({
    a: "x\ufffdy",
    b: ["\ufffd", "\\ud800", "\u0000"],
  });
  expect(storableJson('{"a":"\\ud83d\\udca9 \\uD83D \\\\ud83d"}')).toBe('{"a":"\\ud83d\\udca9 \ufffd \\\\ud83d"}');
  expect(storableJson("a plain \\ud800")).toBe("a plain \\ud800");
  const text = fc.string({ unit: fc.constantFrom("\ud83d", "\udca9", "\\", "u", "d800", '"', "a") });
  fc.assert(
    fc.property(text, (value) => {
      expect(of([value])).toEqual([value.toWellFormed()]);
    }),
  );
});

test.each([
  [{ a: [1, { b: "x\0" }] }, ["a", 1, "b"]],
  [{ a: { "k\ud800": 1 } }, ["a"]],
  ["\0", []],
  [["fine", null, 3, true, { a: "💩" }], undefined],
])("the path of such a text in %j is returned", (value, path) => {
  expect(unstorablePath(value)).toEqual(path);
});

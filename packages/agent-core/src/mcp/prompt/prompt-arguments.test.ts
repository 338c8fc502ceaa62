import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "../../../../../test/values/text.ts";
import { readArguments } from "./prompt-arguments.ts";

const CITY = { name: "city", required: true };
const STATE = { name: "state", required: false };
const read = (text: string, ...definitions: (typeof CITY)[]) => readArguments(text, definitions);

test("what follows a command goes to its arguments: each in its place or by name, and the last takes the rest", () => {
  const both = [CITY, STATE];
  for (const [text, values] of [
    ["Paris", { city: "Paris" }],
    ["Paris Texas", { city: "Paris", state: "Texas" }],
    ["'New York' New  York", { city: "New York", state: "New  York" }],
    ['"New \\"York\\"" NY', { city: 'New "York"', state: "NY" }],
    ["state=NY New York", { state: "NY", city: "New York" }],
    ['New York state="N Y"', { state: "N Y", city: "New York" }],
    ["a=b c", { city: "a=b", state: "c" }],
    ["'", { city: "'" }],
  ] as const)
    expect(read(text, ...both).values, text).toEqual(values);
  expect(read("a line\nand another", CITY)).toEqual({ values: { city: "a line\nand another" }, rest: "", missing: [] });
});

test("required ones that are missing or blank are named, and what no argument takes follows the text", () => {
  expect(read("", CITY, STATE).missing).toEqual(["city"]);
  expect(read("state=x city=''", CITY, STATE).missing).toEqual(["city"]);
  expect(read("look  here").rest).toBe("look  here");
  expect(read("city=Paris and more", CITY)).toEqual({ values: { city: "Paris" }, rest: "and more", missing: [] });
});

test("no text throws, and each value is of an argument", () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      expect(["city", "state"]).toEqual(expect.arrayContaining(Object.keys(read(text, CITY, STATE).values)));
    }),
  );
});

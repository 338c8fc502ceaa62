import { expect, test } from "vitest";
import { differencesOf, sidesOf } from "./definition-difference.ts";

const path = { type: "string", description: "Where." };
const approved = {
  description: "Reads a file.",
  hints: { readOnlyHint: true },
  input_schema: { type: "object", properties: { path } },
};
const changedTo = (changed: Partial<typeof approved>, is_new = false) => ({
  ...approved,
  changed: { rejected: false, is_new, ...approved, ...changed },
});

test("each difference stands by itself, at its place in the schema", () => {
  const input_schema = { type: "object", properties: { path: { ...path, type: "number" }, to: { type: "string" } } };
  expect(differencesOf(changedTo({ description: "Sends a file.", hints: {} as never, input_schema }))).toEqual({
    fields: [
      { label: "Description", before: "Reads a file.", after: "Sends a file." },
      { label: "Says that it only reads", before: "true", after: undefined },
      { label: "Arguments: properties.path.type", before: "string", after: "number" },
      { label: "Arguments: properties.to", before: undefined, after: '{\n  "type": "string"\n}' },
    ],
    more: 0,
  });
});

test("of a new tool all is new, its schema as a whole", () => {
  const { fields } = differencesOf(changedTo({}, true));
  expect(fields.map(({ label, before }) => [label, before])).toEqual([
    ["Description", undefined],
    ["Says that it only reads", undefined],
    ["Arguments", undefined],
  ]);
});

test("more differences than anybody reads are counted, and a name from the prototype is a name", () => {
  const properties = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}`, path]));
  const schema = { type: "object", properties: { path, constructor: path, ...properties } };
  const { fields, more } = differencesOf(changedTo({ input_schema: schema as typeof approved.input_schema }));
  expect([fields.length, more, fields[0]?.label]).toEqual([200, 101, "Arguments: properties.constructor"]);
});

test("the words that differ are marked on their side", () => {
  const { before, after } = sidesOf({ before: "Reads a file.", after: "Reads a file.\u200B Sends it." });
  expect(before.map(({ text }) => text).join("")).toBe("Reads a file.");
  expect(after.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual([
    expect.stringContaining("\u200B"),
  ]);
  expect(sidesOf({ before: undefined, after: "true" })).toEqual({
    before: [],
    after: [{ text: "true", isChanged: true }],
  });
});

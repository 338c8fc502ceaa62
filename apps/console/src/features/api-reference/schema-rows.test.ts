import { expect, it } from "vitest";
import type { JsonObject } from "./read-reference.ts";
import { schemaRows } from "./schema-rows.ts";

it("names fields by their path, with their descriptions and bounds", () => {
  const rows = schemaRows({
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", minLength: 1, description: "Its name." },
      kind: { enum: ["a", "b"], default: "a" },
      parts: { type: "array", items: { type: "object", properties: { size: { type: "integer", maximum: 9 } } } },
      more: { type: "object", additionalProperties: { type: "object", properties: { on: { type: "boolean" } } } },
      either: { anyOf: [{ type: "string" }, { type: "null" }] },
      yes: { const: true },
    },
  });
  expect(rows.map(({ name, type, required }) => `${name}: ${type}${required ? " !" : ""}`)).toEqual([
    "name: string !",
    "kind: any",
    "parts: list of object",
    "parts[]: object",
    "parts[].size: integer",
    "more: object",
    "more.*: object",
    "more.*.on: boolean",
    "either: string or null",
    "yes: true",
  ]);
  expect(rows.map(({ notes }) => notes.join(" "))).toEqual(
    expect.arrayContaining([
      "Its name. At least this many characters: 1.",
      'One of "a", "b". Default "a".',
      "At most 9.",
    ]),
  );
});

it("shows a schema that is no object as one line", () => {
  expect(schemaRows({ type: "string" })).toEqual([{ name: "", type: "string", required: true, notes: [] }]);
  expect(schemaRows({})).toMatchObject([{ type: "any" }]);
  const time = { type: "string", anyOf: [{ format: "date" }, { pattern: "^[0-9]+$" }] };
  expect(schemaRows(time)).toMatchObject([{ type: "string" }]);
});

it("ends at a depth, however deep a schema is", () => {
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < 100; level++) schema = { type: "object", properties: { in: schema } };
  expect(schemaRows(schema).length).toBeLessThan(12);
});
